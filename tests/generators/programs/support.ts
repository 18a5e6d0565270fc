// Functions that the programs have in common.

export function equal(found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
}

/** The first values of a stream of lines of JSON. */
export async function lines<T>(stream: ReadableStream<Uint8Array> | null, count: number): Promise<T[]> {
  const found: T[] = [];
  const reader = stream?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (reader && found.length < count) {
    const { value, done } = await reader.read();
    if (done) break;
    const parts = (text + decoder.decode(value, { stream: true })).split('\n');
    text = parts.pop() ?? '';
    found.push(...parts.map((part): T => JSON.parse(part)));
  }
  await reader?.cancel();
  return found.slice(0, count);
}
