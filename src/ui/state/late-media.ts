/**
 * The media code of a tab, loaded when a person is logged in: the page of the login needs none. Until then the tab owns no media, and the
 * port of the core keeps what arrives.
 */
import type { EffectStates, MediaHost, MediaHostState } from "../../rtc-main/index.ts";
import { AppError } from "../../shared/errors.ts";

const NOTHING: MediaHostState = Object.freeze({
  owning: false,
  callId: null,
  autoplayBlocked: false,
  localVideo: false,
  mutedVoice: false,
  screenPaused: false,
  remoteVideo: false,
});

const NO_EFFECTS: EffectStates = Object.freeze({
  wanted: Object.freeze({ background: false, noise: false }),
  states: Object.freeze({ background: "absent", noise: "absent" }),
});

export interface LateMediaHost extends MediaHost {
  /** Loads the code once; again after a failure. */
  load(): Promise<void>;
}

export function createLateMediaHost(deps: {
  readonly start: () => Promise<MediaHost>;
  readonly hasConnections: () => boolean;
}): LateMediaHost {
  let host: MediaHost | null = null;
  let starting: Promise<MediaHost> | null = null;
  let port: MessagePort | null = null;
  let disposed = false;
  const handlers = new Set<() => void>();
  const changed = (): void => handlers.forEach((handler) => handler());

  const begin = async (): Promise<MediaHost> => {
    const made = await deps.start();
    if (disposed) {
      made.dispose();
      return made;
    }
    host = made;
    made.subscribe(changed);
    if (port !== null) made.connect(port);
    port = null;
    changed();
    return made;
  };
  const ready = (): Promise<MediaHost> => {
    starting ??= begin().catch((error: unknown) => {
      starting = null;
      throw error;
    });
    return starting;
  };
  /** Binds at once, or when the code is there unless it was unbound before. */
  const binding = (bind: (to: MediaHost) => () => void): (() => void) => {
    if (host !== null) return bind(host);
    let unbind: (() => void) | null = null;
    let wanted = true;
    ready().then(
      (made) => {
        if (wanted) unbind = bind(made);
      },
      () => undefined,
    );
    return () => {
      wanted = false;
      unbind?.();
    };
  };

  return {
    load: () => ready().then(() => undefined),
    requireConnections() {
      if (host !== null) host.requireConnections();
      else if (!deps.hasConnections()) throw new AppError("media.no-connections");
    },
    connect(next) {
      if (host === null) port = next;
      else host.connect(next);
    },
    claim: () => host?.claim() ?? null,
    bindVideo: (which, element) => binding((to) => to.bindVideo(which, element)),
    bindStream: (id, element) => binding((to) => to.bindStream(id, element)),
    captureScreen: async (options) => (host ?? (await ready())).captureScreen(options),
    stopScreen: () => host?.stopScreen(),
    mediaDevices: async (kind) => (host ?? (await ready())).mediaDevices(kind),
    changeDevice: async (kind, id) => (host ?? (await ready())).changeDevice(kind, id),
    changeCameraTo: async (facing) => (host ?? (await ready())).changeCameraTo(facing),
    effects: () => host?.effects() ?? NO_EFFECTS,
    wantEffects: (effects) => host?.wantEffects(effects),
    preview: async (wish, show) => (host ?? (await ready())).preview(wish, show),
    controlWith: (executor) =>
      void ready().then(
        (made) => made.controlWith(executor),
        () => undefined,
      ),
    onSound: (handler) => binding((to) => to.onSound(handler)),
    meterMillis: () => host?.meterMillis() ?? 0,
    transmission: async (id) => (await host?.transmission(id)) ?? [],
    localLevel: () => host?.localLevel() ?? 0,
    getState: () => host?.getState() ?? NOTHING,
    subscribe(handler) {
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
    resumePlayback: async () => host?.resumePlayback(),
    dispose() {
      disposed = true;
      host?.dispose();
    },
  };
}
