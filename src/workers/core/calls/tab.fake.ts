/** Tabs with media ports that behave like rtc-main, and the network between them. */
import type { MediaCommand, MediaEvent } from "../../../shared/protocol/media-port.ts";
import type { WireError } from "../../../shared/errors.ts";
import type { Claim, MediaPort, TabInfo } from "../contracts.ts";

/** Connections between tabs: connected when both sides have both descriptions and the network is up. */
export class FakeNet {
  up = true;
  /** Kinds that no connection brings. */
  readonly mute = new Set<"audio" | "video">();
  offers = 0;
  readonly restarts: string[] = [];
  readonly ends = new Map<string, Set<FakeTab>>();
  meet(rtcId: string, tab: FakeTab): void {
    const ends = this.ends.get(rtcId) ?? new Set<FakeTab>();
    ends.add(tab);
    this.ends.set(rtcId, ends);
  }
  complete(rtcId: string): void {
    if (!this.up) return;
    this.ice(rtcId, "connected");
    for (const tab of this.ends.get(rtcId) ?? []) {
      for (const kind of ["audio", "video"] as const) {
        if (!this.mute.has(kind)) tab.emit({ t: "first-media", rtcId, kind, at: 0 });
      }
    }
  }
  ice(rtcId: string, state: Extract<MediaEvent, { t: "ice" }>["state"]): void {
    for (const tab of this.ends.get(rtcId) ?? []) tab.emit({ t: "ice", rtcId, state });
  }
}

type Emitted = MediaEvent extends infer T ? (T extends unknown ? Omit<T, "epoch"> : never) : never;

export class FakeTab {
  readonly commands: MediaCommand[] = [];
  readonly rtcIds = new Set<string>();
  epoch: number | null = null;
  callId = "";
  /** Answers nothing, like a frozen page. */
  frozen = false;
  openError: WireError | null = null;
  hasVideo = true;
  /** Opens the devices only on request, like a browser that shows a permission prompt. */
  prompt = false;
  private handlers = new Set<(event: MediaEvent) => void>();
  readonly tabId: string;
  private readonly net: FakeNet;
  focusedAt: number;
  visible = true;

  constructor(tabId: string, net: FakeNet, focusedAt: number) {
    this.tabId = tabId;
    this.net = net;
    this.focusedAt = focusedAt;
  }
  get info(): TabInfo {
    const { tabId, visible, focusedAt } = this;
    return { tabId, visible, focusedAt, connectedAt: 0 };
  }
  get claim(): Claim | null {
    return this.epoch === null
      ? null
      : { callId: this.callId, ownerEpoch: this.epoch, rtcIds: [...this.rtcIds] };
  }
  commandsOfType<T extends MediaCommand["t"]>(t: T): Extract<MediaCommand, { t: T }>[] {
    return this.commands.filter((c) => c.t === t) as Extract<MediaCommand, { t: T }>[];
  }
  emit(event: Emitted, epoch = this.epoch): void {
    if (epoch === null) return;
    for (const handler of this.handlers) handler({ ...event, epoch } as MediaEvent);
  }
  /** Removes the old core's handlers, for a new core. */
  detach(): void {
    this.handlers = new Set();
  }
  readonly mediaPort: MediaPort = {
    onEvent: (handler) => {
      this.handlers.add(handler);
      return () => this.handlers.delete(handler);
    },
    send: (command) => {
      if (this.frozen) return;
      this.commands.push(structuredClone(command));
      queueMicrotask(() => this.handle(command));
    },
  };
  opened(): void {
    if (this.openError === null)
      this.emit({ t: "opened", hasAudio: true, hasVideo: this.hasVideo });
    else this.emit({ t: "failed", error: this.openError });
  }
  private handle(command: MediaCommand): void {
    if (command.t === "own") {
      this.epoch = command.epoch;
      this.callId = command.callId;
      this.rtcIds.clear();
      if (command.ahead !== true) this.emit({ t: "owned" });
      if (!this.prompt) this.opened();
      return;
    }
    if (command.epoch !== this.epoch) return;
    if (command.t === "replay") {
      if (!this.prompt) this.opened();
    } else if (command.t === "release") {
      this.emit({ t: "released" });
      this.epoch = null;
      this.rtcIds.clear();
    } else if (command.t === "offer") {
      this.rtcIds.add(command.rtcId);
      this.net.offers += 1;
      if (command.iceRestart) this.net.restarts.push(command.rtcId);
      this.net.meet(command.rtcId, this);
      const sdp = `offer ${command.rtcId} ${this.net.offers}`;
      const { rtcId, iceRestart } = command;
      this.emit({ t: "description", rtcId, type: "offer", sdp, iceRestart });
      this.emit({ t: "candidates", rtcId, cands: [{ candidate: `of ${this.tabId}` }] });
    } else if (command.t === "description") {
      this.rtcIds.add(command.rtcId);
      this.net.meet(command.rtcId, this);
      const { rtcId } = command;
      if (command.type === "answer") this.net.complete(rtcId);
      else {
        this.emit({
          t: "description",
          rtcId,
          type: "answer",
          sdp: `to ${command.sdp}`,
          iceRestart: false,
        });
        this.emit({ t: "candidates", rtcId, cands: [{ candidate: `of ${this.tabId}` }] });
      }
    } else if (command.t === "close") {
      this.rtcIds.delete(command.rtcId);
      this.net.ends.get(command.rtcId)?.delete(this);
    }
  }
}
