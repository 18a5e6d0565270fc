/* module.c: what the module gives the layers below it. */
#include "server/modules/postgres/module.h"

#include "server/api/service.h"
#include "server/modules/postgres/gate_internal.h"
#include "server/modules/postgres/nodes.h"
#include "server/modules/postgres/store/postgres.h"

static const struct gate_calls gate = {.trusts = nodes_gate_trusts,
				       .trusted_wrongly = nodes_gate_trusted_wrongly,
				       .wait = nodes_gate_wait,
				       .follow = nodes_gate_follow,
				       .unfollow = nodes_gate_unfollow,
				       .hint = nodes_gate_hint,
				       .ask = nodes_gate_ask,
				       .catch_up = nodes_gate_catch_up};

static const struct nodes nodes = {
	.gate = &gate, .elsewhere = &nodes_elsewhere, .jobs = &nodes_jobs};

void module_postgres_setup(void)
{
	store_kind_add(&store_kind_postgres);
	service_nodes_set(&nodes);
}
