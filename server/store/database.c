/* database.c: the kinds of databases by their scheme; each call goes to its kind. */
#include "server/store/database_kind.h"

#include <stdio.h>
#include <string.h>

#include "server/store/kinds.h"

/* A location without a scheme is a path; NULL if it has one that is not that of a database here. */
static const struct database_kind *find_kind(const char *location, const char **rest)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
	const struct store_kind *kind = store_kind_find(location, rest);
	if (kind != NULL)
		return kind->database;
	*rest = location;
	return location[strspn(location, letters)] == ':' ? NULL : &database_sqlite;
}

/* Without what follows the scheme: it may have a password in it. */
static void explain_location(const char *location, struct error *error)
{
	if (store_kind_missing(location) != NULL)
		store_kind_explain_missing(location, error);
	else
		error_set(error,
			  "%.*s: is not a kind of database; use sqlite:PATH or postgresql:CONNINFO",
			  (int)strcspn(location, ":"), location);
}

bool database_location(const char *location)
{
	const char *rest;
	return find_kind(location, &rest) != NULL || store_kind_missing(location) != NULL;
}

const char *database_name(const char *location)
{
	const char *rest;
	return find_kind(location, &rest) == &database_sqlite ? rest
							      : store_location_public(location);
}

const char *database_copy_refusal(const char *location)
{
	const char *rest;
	const struct database_kind *kind = find_kind(location, &rest);
	if (store_kind_missing(location) != NULL)
		return "use a cubed that was built with the module of its store";
	return kind == NULL ? "there is nothing to copy" : kind->copy_refusal;
}

/* ---- reading ---- */

struct database *database_open(const char *location, enum database_use use, struct error *error)
{
	const char *rest;
	const struct database_kind *kind = find_kind(location, &rest);
	if (kind != NULL)
		return kind->open(rest, use, error);
	explain_location(location, error);
	return NULL;
}

bool database_is_older(const struct database *database)
{
	return database->older;
}

bool database_close(struct database *database)
{
	return database->kind->close(database);
}

enum store_status database_examine(struct database *database,
				   const struct database_visitor *visitor,
				   struct database_counts *counts)
{
	return database->kind->examine(database, visitor, counts);
}

enum store_status database_scan(struct database *database, const struct database_visitor *visitor,
				struct database_counts *counts)
{
	return database->kind->scan(database, visitor, counts);
}

bool database_copy(struct database *database, const char *path, struct error *error)
{
	return database->kind->copy(database, path, error);
}

/* ---- filling ---- */

struct database_loader *database_load(const char *location, struct error *error)
{
	const char *rest;
	const struct database_kind *kind = find_kind(location, &rest);
	if (kind != NULL)
		return kind->load(rest, error);
	explain_location(location, error);
	return NULL;
}

bool database_load_session(struct database_loader *loader, const struct database_session *session)
{
	return loader->operations->session(loader, session);
}

bool database_load_entry(struct database_loader *loader, const struct entry *entry)
{
	return loader->operations->entry(loader, entry);
}

bool database_load_end(struct database_loader *loader)
{
	return loader->operations->end(loader);
}

bool database_load_receipt(struct database_loader *loader, const struct receipt *receipt)
{
	return loader->operations->receipt(loader, receipt);
}

bool database_load_solve(struct database_loader *loader, const struct stored_solve *solve)
{
	return loader->operations->solve(loader, solve);
}

bool database_load_frame(struct database_loader *loader, const struct session_id *book,
			 const char *frame)
{
	return loader->operations->frame(loader, book, frame);
}

bool database_load_answer(struct database_loader *loader, const struct stored_answer *answer)
{
	return loader->operations->answer(loader, answer);
}

bool database_load_commit(struct database_loader *loader, struct database_counts *counts)
{
	return loader->operations->commit(loader, counts);
}

void database_load_close(struct database_loader *loader)
{
	if (loader != NULL)
		loader->operations->close(loader);
}

/* ---- findings ---- */

void database_vreport(const struct database_visitor *visitor, struct database_counts *counts,
		      const struct session_id *session, const char *format, va_list arguments)
{
	char what[512];
	vsnprintf(what, sizeof(what), format, arguments);
	counts->findings++;
	visitor->finding(visitor->context, session, what);
}

void database_report(const struct database_visitor *visitor, struct database_counts *counts,
		     const struct session_id *session, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	database_vreport(visitor, counts, session, format, arguments);
	va_end(arguments);
}
