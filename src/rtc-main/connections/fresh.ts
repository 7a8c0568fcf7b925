/**
 * Makes connections that use this machine's present addresses (docs/conferences.md#silence). Chromium notices a changed address only
 * after 2 s, for all connections of a page. A new frame reads the addresses at once, so for 3 s after a change connections are made in a
 * hidden frame.
 */
import type { MediaClock } from "../clock.ts";

/** ms for which connections are made in the frame. Later the page itself knows the addresses. */
export const STALE_MS = 3000;
/** ms between two looks at what the frame finds, and the most looks. Measured: the first address is there after 8 to 20 ms. */
export const LOOK_MS = 20;
export const LOOKS = 15;
/** ms to keep the frame after its last connection, because pending promises of a removed frame never settle. */
export const LINGER_MS = 2000;

/** A browsing context for connections. */
export interface ConnectionFrame {
  create(config: RTCConfiguration): RTCPeerConnection;
  /** Its connections must be closed. */
  remove(): void;
}

export interface FreshConnections {
  create(config: RTCConfiguration): RTCPeerConnection;
  /** Whether the machine has none of this connection's addresses any more. False when the browser hides the addresses. */
  hasMoved(pc: Pick<RTCPeerConnection, "getStats">): Promise<boolean>;
}

/** Host names (mDNS) stand for addresses that the page may not see. */
const isAddress = (text: unknown): text is string =>
  typeof text === "string" && text !== "" && !text.endsWith(".local");

async function addressesOf(pc: Pick<RTCPeerConnection, "getStats">): Promise<Set<string>> {
  const found = new Set<string>();
  const report = await pc.getStats();
  for (const stat of report.values() as Iterable<Readonly<Record<string, unknown>>>) {
    const own = stat["type"] === "local-candidate" && stat["candidateType"] === "host";
    if (own && isAddress(stat["address"])) found.add(stat["address"]);
  }
  return found;
}

/** @param open makes a frame; null when the page cannot have one */
export function createFreshConnections(
  deps: {
    readonly clock: MediaClock;
    readonly create: (config: RTCConfiguration) => RTCPeerConnection;
  },
  open: () => ConnectionFrame | null,
): FreshConnections {
  const { clock } = deps;
  let current: { readonly frame: ConnectionFrame; readonly until: number; used: number } | null =
    null;

  const remove = (frame: ConnectionFrame): void =>
    void clock.after(LINGER_MS, () => frame.remove());
  /** A frame goes with its last connection, unless it is still used for new ones. */
  function createIn(owner: NonNullable<typeof current>, config: RTCConfiguration) {
    const pc = owner.frame.create(config);
    const close = pc.close.bind(pc);
    let closed = false;
    owner.used += 1;
    pc.close = () => {
      close();
      if (closed) return;
      closed = true;
      owner.used -= 1;
      if (owner.used === 0 && current !== owner) remove(owner.frame);
    };
    return pc;
  }
  function retire(): void {
    const before = current;
    current = null;
    if (before?.used === 0) remove(before.frame);
  }

  async function find(frame: ConnectionFrame): Promise<Set<string>> {
    const probe = frame.create({});
    try {
      probe.createDataChannel("");
      await probe.setLocalDescription();
      let found = new Set<string>();
      // All addresses are found at once, but perhaps not within the same look.
      for (let look = 0, last = false; look < LOOKS && !last; look += 1) {
        last = found.size > 0;
        await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve));
        found = await addressesOf(probe);
      }
      return found;
    } finally {
      probe.close();
    }
  }

  return {
    create(config) {
      if (current === null) return deps.create(config);
      if (clock.now() < current.until) return createIn(current, config);
      retire();
      return deps.create(config);
    },
    async hasMoved(pc) {
      const before = await addressesOf(pc);
      const frame = before.size === 0 ? null : open();
      if (frame === null) return false;
      const now = await find(frame).catch(() => new Set<string>());
      if (now.size === 0 || [...now].some((address) => before.has(address))) {
        remove(frame);
        return false;
      }
      retire();
      const opened = { frame, until: clock.now() + STALE_MS, used: 0 };
      current = opened;
      clock.after(STALE_MS, () => {
        if (current === opened) retire();
      });
      return true;
    },
  };
}

/** @returns null where the page has no body, or the frame no connections */
export function openFrame(): ConnectionFrame | null {
  const frame = document.createElement("iframe");
  frame.hidden = true;
  frame.title = "connections";
  document.body.append(frame);
  const inside = frame.contentWindow as (Window & typeof globalThis) | null;
  if (typeof inside?.RTCPeerConnection !== "function") {
    frame.remove();
    return null;
  }
  return {
    create: (config) => new inside.RTCPeerConnection(config),
    remove: () => frame.remove(),
  };
}
