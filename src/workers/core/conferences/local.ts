/** The own microphone and camera in a conference: what the person wants, what admins silence, and who is told. */
import type { ConfrRequest } from "./session.ts";
import type { Model } from "./model.ts";
import type { ConfrRecord } from "./kept.ts";
import type { OwnerCommand } from "../calls/owner.ts";
import type { Answer } from "./pending.ts";
import { RESULT } from "../../../shared/protocol/signalling.ts";
import { CONFR_OP } from "../../../shared/protocol/confr-signalling.ts";

export type Silencer = "all" | "one";

export interface Local {
  /** The person's word. */
  set(part: { readonly audioMuted?: boolean; readonly videoOff?: boolean }): void;
  /** An admin silences, or lets speak again whoever did before (spec §4, Mute). */
  silence(by: Silencer, on: boolean): void;
  publishing(on: boolean): void;
  /** Tells the tab, which has the devices, and the server, for the others, what they do not know yet. */
  tell(): void;
  flags(): { readonly voff: 0 | 1; readonly aoff: 0 | 1 };
  /** Known once the devices are open. */
  readonly nothingOpen: boolean;
  reset(): void;
}

export function createLocal(deps: {
  readonly model: Model;
  readonly record: ConfrRecord;
  readonly ready: () => boolean;
  readonly toTab: (command: OwnerCommand) => void;
  readonly ask: (request: ConfrRequest) => Promise<Answer>;
  /** Of the own camera stream. */
  readonly rtcId: () => string | null;
}): Local {
  const { model, record } = deps;
  const local = () => model.slice.local;
  const silencers = new Set<Silencer>();
  /** What the microphone was before an admin silenced it; null once the person has decided anew. */
  let before: boolean | null = null;

  /** What the server was told last of a connection: its echo comes later. */
  let said: { readonly rtcId: string; readonly voff: 0 | 1; readonly aoff: 0 | 1 } | null = null;

  const flags = (): { voff: 0 | 1; aoff: 0 | 1 } => {
    const { audioMuted, videoOff, hasVideo } = local();
    const noCamera = deps.ready() && !hasVideo;
    return { voff: videoOff || noCamera ? 1 : 0, aoff: audioMuted ? 1 : 0 };
  };
  function tell(): void {
    const { audioMuted, videoOff, publishing } = local();
    deps.toTab({ t: "local", audioMuted, videoOff: videoOff || !publishing });
    const rtcId = deps.rtcId();
    const known = model.slice.streams[record.now?.streams["0"] ?? ""];
    if (rtcId === null || known === undefined) return;
    const { voff, aoff } = flags();
    const last = said?.rtcId === rtcId ? said : known;
    if (last.voff === voff && last.aoff === aoff) return;
    const now = { rtcId, voff, aoff };
    said = now;
    void deps.ask({ op: CONFR_OP.streamControl, ...now }).then(({ result }) => {
      if (result !== RESULT.ok && said === now) said = null;
    });
  }
  function put(part: { audioMuted?: boolean; videoOff?: boolean }): void {
    const next = { ...local(), ...part };
    model.patch({ local: next });
    record.patch({ audioMuted: next.audioMuted, videoOff: next.videoOff });
    tell();
  }

  return {
    set({ audioMuted, videoOff }) {
      if (audioMuted !== undefined) before = null;
      put({
        ...(audioMuted === undefined ? {} : { audioMuted }),
        ...(videoOff === undefined ? {} : { videoOff }),
      });
    },
    silence(by, on) {
      if (on) {
        if (silencers.size === 0) before = local().audioMuted;
        silencers.add(by);
        put({ audioMuted: true });
        return;
      }
      if (!silencers.delete(by) || silencers.size > 0 || before === null) return;
      const back = before;
      before = null;
      put({ audioMuted: back });
    },
    publishing(on) {
      model.patch({ local: { ...local(), publishing: on } });
      record.patch({ publishing: on });
      tell();
    },
    tell,
    flags,
    get nothingOpen() {
      const { hasAudio, hasVideo } = local();
      return deps.ready() && !hasAudio && !hasVideo;
    },
    reset() {
      silencers.clear();
      before = null;
      said = null;
    },
  };
}
