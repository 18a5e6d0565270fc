/* subgroup_cache.c: the subgroups of generators, by these and by size. */
#include "server/search/subgroup_cache.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The key of a subgroup. Styles count too: scrambles are written with them. */
struct key {
	int size;
	size_t count;
	const struct cube_turn *generators;
};
static_assert(sizeof(struct cube_turn) == 5, "turns cannot be compared as bytes");

struct kept_subgroup {
	struct kept kept; /* first: see kept_cache.h */
	struct key key;
	struct cube_subgroup *subgroup;
	struct cube_turn generators[]; /* the turns of the key */
};

static bool has_key(const struct kept *kept, const void *key)
{
	const struct key *a = &((const struct kept_subgroup *)kept)->key, *b = key;
	return a->size == b->size && a->count == b->count &&
	       memcmp(a->generators, b->generators, a->count * sizeof *a->generators) == 0;
}

static void free_kept(struct kept *kept)
{
	free(((struct kept_subgroup *)kept)->subgroup);
	free(kept);
}

struct kept_cache *subgroup_cache_create(size_t bytes_max)
{
	return kept_cache_create(bytes_max, has_key, free_kept);
}

/* Makes one, and gives back the memory that it does not need. */
static struct kept_subgroup *make(const struct key *key)
{
	const size_t generator_bytes = key->count * sizeof *key->generators;
	struct kept_subgroup *made = malloc(sizeof *made + generator_bytes);
	if (!made)
		return NULL;
	*made = (struct kept_subgroup){.key = {key->size, key->count, made->generators}};
	made->subgroup = malloc(CUBE_SUBGROUP_BYTES);
	if (!made->subgroup) {
		free(made);
		return NULL;
	}
	memcpy(made->generators, key->generators, generator_bytes);
	size_t bytes = cube_subgroup_make(key->size, key->generators, key->count, made->subgroup);
	struct cube_subgroup *smaller = realloc(made->subgroup, bytes);
	if (smaller)
		made->subgroup = smaller;
	else
		bytes = CUBE_SUBGROUP_BYTES;
	made->kept.bytes = bytes + sizeof *made + generator_bytes;
	return made;
}

struct kept *subgroup_cache_take(struct kept_cache *cache, int size,
				 const struct cube_turn *generators, size_t count)
{
	const struct key key = {size, count, generators};
	struct kept *found = kept_cache_find(cache, &key);
	if (found)
		return found;
	struct kept_subgroup *made = make(&key);
	return made ? kept_cache_add(cache, &made->kept, &made->key) : NULL;
}

const struct cube_subgroup *kept_subgroup_tables(const struct kept *kept)
{
	return ((const struct kept_subgroup *)kept)->subgroup;
}
