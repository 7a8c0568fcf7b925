/**
 * Binds video elements of the host page to streams (docs/conferences.md#library). A bound element has attributes of its stream, handles
 * events that the page dispatches on it, and emits `onMediaChanaged` (spelled as in the platform's specification).
 */
import { STREAM_TYPE } from "../../shared/domain/conference-types.ts";
import type { ConferenceMedia } from "../../rtc-main/index.ts";
import { SCREEN, SELF } from "../../rtc-main/index.ts";
import type { Stream } from "./contracts.ts";

/** Attributes of a bound element. Flags are "0" or "1". */
export const TAG_ATTRIBUTES = {
  streamId: "data-stream-id",
  audioOff: "data-aoff",
  videoOff: "data-voff",
} as const;
export const MEDIA_CHANGED = "onMediaChanaged";
/** Events that a bound element handles. */
export const TAG_EVENTS = [
  "hungup",
  "subscribe",
  "pauseVideo",
  "resumeVideo",
  "pauseAudio",
  "resumeAudio",
  "chanageCamera",
  "captureVideo",
] as const;
export type TagEvent = (typeof TAG_EVENTS)[number];

/** `detail` of onMediaChanaged. */
export interface MediaChanged {
  /** Whether picture and sound are subscribed, or sent for an own stream. */
  readonly video: boolean;
  readonly audio: boolean;
  /** 1 while the publisher's picture is off. */
  readonly voff: 0 | 1;
  /** 1 while the publisher's sound is off. */
  readonly aoff: 0 | 1;
}

export interface Tags {
  /** Binds an element to a stream. A stream has one element, and an element one stream. */
  bind(stream: Stream, tag: HTMLVideoElement): void;
  /** The element that is bound to the stream; null when none is. */
  tagOf(streamId: string): HTMLVideoElement | null;
  /** Id of the stream to which the element is bound; null when it is not bound. */
  streamIdOf(tag: HTMLVideoElement): string | null;
  /** Updates attributes and emits onMediaChanaged after a change. Releases the elements of removed streams. */
  update(streams: ReadonlyMap<string, Stream>): void;
  /** Releases all elements. */
  clear(): void;
}

interface Binding {
  readonly tag: HTMLVideoElement;
  readonly undo: () => void;
  /** The last emitted `detail`, as JSON. */
  last: string;
}

/** @param answer called with an event of TAG_EVENTS that the page dispatched on a bound element */
export function createTags(
  media: Pick<ConferenceMedia, "bindStream">,
  answer: (event: TagEvent, streamId: string, detail: unknown) => void,
): Tags {
  const bindings = new Map<string, Binding>();
  const { streamId: ID, audioOff: AOFF, videoOff: VOFF } = TAG_ATTRIBUTES;

  const release = (id: string): void => {
    const binding = bindings.get(id);
    if (binding === undefined) return;
    bindings.delete(id);
    binding.undo();
    for (const name of [ID, AOFF, VOFF]) binding.tag.removeAttribute(name);
  };
  const show = (binding: Binding, stream: Stream): void => {
    const { subSVideo, subSAudio } = stream.subArgs;
    const { voff, aoff } = stream;
    const detail: MediaChanged = { video: subSVideo, audio: subSAudio, voff, aoff };
    const key = JSON.stringify(detail);
    if (key === binding.last) return;
    binding.last = key;
    binding.tag.setAttribute(AOFF, String(aoff));
    binding.tag.setAttribute(VOFF, String(voff));
    binding.tag.dispatchEvent(new CustomEvent(MEDIA_CHANGED, { detail }));
  };
  const streamIdOf = (tag: HTMLVideoElement): string | null =>
    [...bindings].find(([, binding]) => binding.tag === tag)?.[0] ?? null;

  return {
    bind(stream, tag) {
      const { id } = stream;
      if (bindings.get(id)?.tag === tag) return;
      const former = streamIdOf(tag);
      if (former !== null) release(former);
      release(id);
      const own = stream.type === STREAM_TYPE.screen ? SCREEN : SELF;
      const unbind = media.bindStream(stream.located() ? own : id, tag);
      const listening = new AbortController();
      for (const name of TAG_EVENTS) {
        tag.addEventListener(
          name,
          (event) => answer(name, id, (event as CustomEvent<unknown>).detail),
          { signal: listening.signal },
        );
      }
      const binding: Binding = {
        tag,
        last: "",
        undo() {
          listening.abort();
          unbind();
        },
      };
      bindings.set(id, binding);
      tag.setAttribute(ID, id);
      show(binding, stream);
    },
    tagOf: (id) => bindings.get(id)?.tag ?? null,
    streamIdOf,
    update(streams) {
      for (const [id, binding] of bindings) {
        const stream = streams.get(id);
        if (stream === undefined) release(id);
        else show(binding, stream);
      }
    },
    clear() {
      for (const id of bindings.keys()) release(id);
    },
  };
}
