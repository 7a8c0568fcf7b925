/** A fake of the media port. */

/** A port whose other end is the test. */
export class FakePort {
  readonly sent: Record<string, unknown>[] = [];
  onmessage: ((event: { data: unknown }) => void) | null = null;
  closed = false;
  postMessage(data: Record<string, unknown>): void {
    // Like a real port: a message that cannot be cloned fails the test.
    this.sent.push(structuredClone(data));
  }
  close(): void {
    this.closed = true;
  }
  send(data: unknown): void {
    this.onmessage?.({ data });
  }
  sentOfType(type: string): Record<string, unknown>[] {
    return this.sent.filter((each) => each["t"] === type);
  }
  get types(): unknown[] {
    return this.sent.map((each) => each["t"]);
  }
}
