/* invite.c: what --lan prints: the addresses that other devices can open, and a QR code. */
#include "server/ops/ops.h"

#include <qrencode.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "server/util/network.h"

/* Light modules around a code, which readers need (ISO/IEC 18004). */
#define BORDER 4
/* White on black, whatever the colours of the terminal are. */
#define COLORS "\033[97;40m"
#define NO_COLORS "\033[0m"

static bool is_dark(const QRcode *code, int x, int y)
{
	return x >= 0 && y >= 0 && x < code->width && y < code->width &&
	       code->data[y * code->width + x] & 1;
}

/* Prints two rows of modules as a line of text: a block is a light module. */
static void print_line(FILE *out, const QRcode *code, int y)
{
	static const char *const blocks[] = {" ", "▄", "▀", "█"};
	for (int x = -BORDER; x < code->width + BORDER; x++)
		fputs(blocks[2 * !is_dark(code, x, y) + !is_dark(code, x, y + 1)], out);
}

static void print_code(FILE *out, const char *text)
{
	QRcode *code = QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1);
	const bool colors = isatty(fileno(out));
	if (!code)
		return;
	fputc('\n', out);
	for (int y = -BORDER; y < code->width + BORDER; y += 2) {
		fputs(colors ? COLORS : "", out);
		print_line(out, code, y);
		fputs(colors ? NO_COLORS "\n" : "\n", out);
	}
	QRcode_free(code);
}

void ops_invite(FILE *out, const char *scheme, uint16_t port)
{
	struct network_url urls[NETWORK_ADDRESSES_MAX];
	const size_t count = network_urls(urls, scheme, port);
	if (count == 0) {
		fputs("This machine is in no network at present; its addresses are shown when it "
		      "is "
		      "and the server starts again.\n",
		      out);
		return;
	}
	fputs("Open it on another device in your network:\n", out);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "  %s\n", urls[i].text);
	print_code(out, urls[0].text);
}
