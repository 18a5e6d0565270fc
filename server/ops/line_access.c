/* line_access.c: tokens, patterns and receipts in the lines of an export. */
#include "server/ops/line.h"

#include <stdlib.h>
#include <string.h>

#include "server/format/session_out.h"

#define MEMBERS(list) (list), sizeof(list) / sizeof((list)[0])

/* ---- hexadecimal ---- */

void hex_write(struct out *out, const uint8_t *bytes, size_t length)
{
	static const char digits[] = "0123456789abcdef";
	char *room = out_room(out, 2 * length);
	for (size_t i = 0; room && i < length; i++) {
		room[2 * i] = digits[bytes[i] >> 4];
		room[2 * i + 1] = digits[bytes[i] & 15];
	}
}

static int digit_of(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool line_read_hex(struct export_line *line, struct text text, uint8_t *bytes, size_t length)
{
	bool good = text.length == 2 * length;
	for (size_t i = 0; good && i < length; i++) {
		int high = digit_of(text.bytes[2 * i]), low = digit_of(text.bytes[2 * i + 1]);
		good = high >= 0 && low >= 0;
		bytes[i] = good ? (uint8_t)(high * 16 + low) : 0;
	}
	return good || line_say(line, "bytes are not hexadecimal, or not of the right number");
}

/* ---- tokens ---- */

static bool read_token(struct export_line *line, struct json_value *object, const char *pointer,
		       struct stored_token *token)
{
	struct text role = {0}, hash = {0}, label = {0};
	int64_t created_ms = INT64_MIN, parent = 0;
	const struct json_member as = {"", JSON_MEMBERS, &object, 0, 0};
	const struct json_member members[] = {
		{"role", JSON_TEXT, &role, 0, 0},
		{"hash", JSON_TEXT, &hash, 0, 0},
		{"created_ms", JSON_INT64, &created_ms, INT64_MIN + 1, INT64_MAX},
		{"revoked_ms", JSON_INT64, &token->revoked_ms, INT64_MIN + 1, INT64_MAX},
		{"label", JSON_TEXT, &label, 0, 0},
		{"parent", JSON_INT64, &parent, 1, UINT32_MAX},
	};
	if (!json_read_value(&line->json, object, pointer, &as) ||
	    !json_read_members(&line->json, object, pointer, MEMBERS(members)))
		return line_explain(line);
	token->created_ms = created_ms;
	if (created_ms == INT64_MIN)
		return line_say(line, "a token needs role, hash and created_ms");
	if (parent >= (int64_t)token->number)
		return line_say(line, "the parent of a token must come before it");
	token->parent = (uint32_t)parent;
	return line_read_word(line, role, role_names, ROLE_COUNT, &token->role,
			      "the role of a token is unknown") &&
	       line_read_hex(line, hash, token->hash, HASH_BYTES) &&
	       line_read_name(line, label, token->label, "a label");
}

static bool read_tokens(struct export_line *line, struct json_value *array)
{
	const size_t count = array ? json_item_count(array) : 0;
	free(line->tokens);
	line->tokens = calloc(count + 1, sizeof *line->tokens);
	if (!line->tokens)
		return line_say(line, "no memory");
	for (size_t i = 0; i < count; i++) {
		line->tokens[i].number = (uint32_t)i + 1;
		if (!read_token(line, json_item(array, i),
				json_pointer_index(&line->json, "/tokens", i), &line->tokens[i]))
			return false;
	}
	line->session.tokens = line->tokens;
	line->session.token_count = count;
	return true;
}

/* ---- patterns ---- */

static bool read_pattern(struct export_line *line, struct json_value *object, const char *pointer,
			 struct stored_pattern *pattern)
{
	struct text name = {0}, text = {0};
	int64_t token = 0, updated_ms = INT64_MIN;
	const struct json_member as = {"", JSON_MEMBERS, &object, 0, 0};
	const struct json_member members[] = {
		{"token", JSON_INT64, &token, 1, UINT32_MAX},
		{"name", JSON_TEXT, &name, 0, 0},
		{"pattern", JSON_TEXT, &text, 0, 0},
		{"updated_ms", JSON_INT64, &updated_ms, INT64_MIN + 1, INT64_MAX},
	};
	if (!json_read_value(&line->json, object, pointer, &as) ||
	    !json_read_members(&line->json, object, pointer, MEMBERS(members)))
		return line_explain(line);
	if (!name.bytes || !text.bytes || updated_ms == INT64_MIN)
		return line_say(line, "a pattern needs name, pattern and updated_ms");
	if ((uint64_t)token > line->session.token_count)
		return line_say(line, "there is no token of a pattern");
	*pattern = (struct stored_pattern){(uint32_t)token, updated_ms, name.bytes, text.bytes};
	return true;
}

static bool read_patterns(struct export_line *line, struct json_value *array)
{
	const size_t count = array ? json_item_count(array) : 0;
	free(line->patterns);
	line->patterns = calloc(count + 1, sizeof *line->patterns);
	if (!line->patterns)
		return line_say(line, "no memory");
	for (size_t i = 0; i < count; i++)
		if (!read_pattern(line, json_item(array, i),
				  json_pointer_index(&line->json, "/patterns", i),
				  &line->patterns[i]))
			return false;
	line->session.patterns = line->patterns;
	line->session.pattern_count = count;
	return true;
}

bool line_read_access(struct export_line *line, struct json_value *tokens,
		      struct json_value *patterns)
{
	return read_tokens(line, tokens) && read_patterns(line, patterns);
}

/* ---- receipts ---- */

bool line_read_receipt(struct export_line *line)
{
	struct receipt *receipt = &line->receipt;
	struct text key = {0}, body = {0}, answer = {0};
	int64_t created_ms = INT64_MIN;
	const struct json_member members[] = {
		{"receipt", JSON_TEXT, &key, 0, 0},
		{"body", JSON_TEXT, &body, 0, 0},
		{"created_ms", JSON_INT64, &created_ms, INT64_MIN + 1, INT64_MAX},
		{"answer", JSON_TEXT, &answer, 0, 0},
	};
	if (!json_read_members(&line->json, line->body, "", MEMBERS(members)))
		return line_explain(line);
	if (created_ms == INT64_MIN || answer.length < 2)
		return line_say(line, "a receipt needs body, created_ms and answer");
	free(receipt->answer);
	*receipt = (struct receipt){.created_ms = created_ms, .answer_bytes = answer.length / 2};
	receipt->answer = malloc(receipt->answer_bytes);
	if (!receipt->answer)
		return line_say(line, "no memory");
	return line_read_hex(line, key, receipt->key, HASH_BYTES) &&
	       line_read_hex(line, body, receipt->body, HASH_BYTES) &&
	       line_read_hex(line, answer, receipt->answer, receipt->answer_bytes);
}
