/** A fake of a video or audio element. */

export class FakeElement extends EventTarget {
  clientWidth = 640;
  sink = "";
  /** Id of an output device that does not exist. */
  static readonly noSink = "gone";
  setSinkId(id: string): Promise<void> {
    if (id === FakeElement.noSink) return Promise.reject(new Error("no such output"));
    this.sink = id;
    return Promise.resolve();
  }
  srcObject: unknown = null;
  muted = false;
  playsInline = false;
  removed = false;
  refuse: string | null = null;
  played = 0;
  play(): Promise<void> {
    this.played += 1;
    if (this.refuse === null) return Promise.resolve();
    return Promise.reject(Object.assign(new Error(this.refuse), { name: this.refuse }));
  }
  remove(): void {
    this.removed = true;
  }
}
