/** The bytes of a report: JSON, compressed. */
export async function pack(report: object): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([JSON.stringify(report)])
    .stream()
    .pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
