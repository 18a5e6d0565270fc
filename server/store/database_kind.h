/* database_kind.h: what each kind of database implements for database.h; the table is in
 * kinds.c. The functions are described there. */
#ifndef SERVER_STORE_DATABASE_KIND_H
#define SERVER_STORE_DATABASE_KIND_H

#include "server/store/database.h"

#include <stdarg.h>

/* The first member of a kind's own database. */
struct database {
	const struct database_kind *kind;
	bool older; /* its schema: it can only be copied, and examined in part */
};

/* The first member of a kind's own loader. */
struct database_loader {
	const struct loader_operations *operations;
};

struct database_kind {
	/* `rest` is the location without its scheme. They set the first member of what they
	 * return. */
	struct database *(*open)(const char *rest, enum database_use use, struct error *error);
	struct database_loader *(*load)(const char *rest, struct error *error);
	const char *copy_refusal; /* NULL: it can be copied */

	bool (*close)(struct database *database);
	enum store_status (*examine)(struct database *database,
				     const struct database_visitor *visitor,
				     struct database_counts *counts);
	enum store_status (*scan)(struct database *database, const struct database_visitor *visitor,
				  struct database_counts *counts);
	bool (*copy)(struct database *database, const char *path, struct error *error);
};

struct loader_operations {
	bool (*session)(struct database_loader *loader, const struct database_session *session);
	bool (*entry)(struct database_loader *loader, const struct entry *entry);
	bool (*end)(struct database_loader *loader);
	bool (*receipt)(struct database_loader *loader, const struct receipt *receipt);
	bool (*solve)(struct database_loader *loader, const struct stored_solve *solve);
	bool (*frame)(struct database_loader *loader, const struct session_id *book,
		      const char *frame);
	bool (*answer)(struct database_loader *loader, const struct stored_answer *answer);
	bool (*commit)(struct database_loader *loader, struct database_counts *counts);
	void (*close)(struct database_loader *loader);
};

/* In the folder of its store. */
extern const struct database_kind database_sqlite;

/* Passes a finding to the visitor and counts it. */
void database_report(const struct database_visitor *visitor, struct database_counts *counts,
		     const struct session_id *session, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void database_vreport(const struct database_visitor *visitor, struct database_counts *counts,
		      const struct session_id *session, const char *format, va_list arguments)
	__attribute__((format(printf, 4, 0)));

#endif
