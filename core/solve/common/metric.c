/* core/solve/common/metric.c: the metrics of solutions, as the counts of algorithms have them. */
#include "cube/solve.h"

uint64_t cube_solve_metric_of(const struct cube_metrics *metrics, enum cube_solve_metric metric)
{
	switch (metric) {
	case CUBE_SOLVE_QTM:
		return metrics->qtm;
	case CUBE_SOLVE_STM:
		return metrics->stm;
	case CUBE_SOLVE_QSTM:
		return metrics->qstm;
	case CUBE_SOLVE_ETM:
		return metrics->etm;
	default:
		return metrics->htm;
	}
}
