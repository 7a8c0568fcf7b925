/** Annotations over the video of a stream (docs/conferences.md#annotations). */
import { colourOf, MARK_SIZES } from "../../shared/domain/annotations.ts";
import { createMarks, type Marks } from "../../core-client/marks.ts";
import { browserSurfaceEnv, createSurface, type DrawingTool } from "../../rtc-main/index.ts";
import { type Face, requireJoined, requireStream } from "./context.ts";
import type { StreamRef } from "./contracts.ts";
import { refusal } from "./refuse.ts";

export interface GraffitiOptions {
  /** Whether the pointer draws from the start. Default: true. Without it the marks of all are shown. */
  readonly draw?: boolean;
  /** Default: pen. */
  readonly tool?: DrawingTool;
  /** `#rrggbb`. Default: the colour of this person, the same in all pages. */
  readonly colour?: string;
  /** Width of a line in 1/10000 of the picture's height. Default: 60. */
  readonly size?: number;
  /** Whether the element shows the picture mirrored. Default: false. */
  readonly mirrored?: boolean;
  /** Label of the field in which a text is typed. */
  readonly textLabel?: string;
}

/** Drawing over one stream. */
export interface Graffiti {
  /** The canvas over the video. */
  readonly canvas: HTMLCanvasElement;
  /** Whether the pointer draws. */
  draw(on: boolean): void;
  /** pen, line, arrow, rectangle, ellipse, text or eraser. The eraser erases own marks. */
  tool(tool: DrawingTool): void;
  /** @param colour `#rrggbb` */
  colour(colour: string): void;
  /** @param size width of a line in 1/10000 of the picture's height */
  size(size: number): void;
  /** Erases the newest own mark. @returns false when there is none */
  undo(): boolean;
  /** Erases the marks of all. Only for the stream's owner and admins. */
  clear(): Promise<void>;
  /** Forbids or allows others to draw. Only for the stream's owner and admins. */
  forbid(on: boolean): Promise<void>;
  /** Removes the canvas. The marks stay in the conference. Idempotent; also happens when the stream ends. */
  end(): void;
}

export interface AnnotatingApi {
  /**
   * Shows the marks of all over the video of a stream, and lets the person draw. The stream needs an element (`streamBindVideo`), whose
   * parent becomes positioned. Rejections of the server are warnings, since they concern single marks.
   *
   * @throws 'Bad stream' when the stream is not there or no element shows it
   */
  graffitiVideo(stream: StreamRef, options?: GraffitiOptions): Graffiti;
}

export interface Annotating {
  readonly api: AnnotatingApi;
  /** The streams changed: drawing over those that are gone ends. */
  update(streams: ReadonlyMap<string, unknown>): void;
  /** Begins to emit onAnnotated, which needs a connection to the core. */
  listen(): void;
  end(): void;
}

export function createAnnotating(face: Face): Annotating {
  const { core, warn } = face.deps;
  const open = new Map<string, Graffiti>();
  let marks: { readonly source: Marks; readonly end: () => void } | null = null;

  const listen = (): Marks | null => {
    if (marks !== null) return marks.source;
    if (core.watchMarks === undefined) return null;
    const source = createMarks(core.watchMarks);
    const end = source.subscribe(({ streamId, by }) => {
      const { marks: all, locked: forbidden } = source.board(streamId);
      face.emitter.emit("onAnnotated", { streamId, by: [...by], count: all.size, forbidden });
    });
    marks = { source, end };
    return source;
  };
  /** Puts a canvas over the video and keeps it there. */
  function cover(video: HTMLVideoElement): { canvas: HTMLCanvasElement; remove: () => void } {
    const canvas = video.ownerDocument.createElement("canvas");
    const parent = video.parentElement;
    if (parent === null) throw refusal("badStream");
    if (getComputedStyle(parent).position === "static") parent.style.position = "relative";
    canvas.style.position = "absolute";
    const place = (): void => {
      canvas.style.left = `${video.offsetLeft + video.clientLeft}px`;
      canvas.style.top = `${video.offsetTop + video.clientTop}px`;
      canvas.style.width = `${video.clientWidth}px`;
      canvas.style.height = `${video.clientHeight}px`;
    };
    const observer = new ResizeObserver(place);
    observer.observe(video);
    observer.observe(parent);
    place();
    video.after(canvas);
    return {
      canvas,
      remove() {
        observer.disconnect();
        canvas.remove();
      },
    };
  }

  const api: AnnotatingApi = {
    graffitiVideo(ref, options = {}) {
      const view = requireJoined(face);
      const { id } = requireStream(face, ref);
      const video = face.tags.tagOf(id);
      const source = listen();
      if (video === null || source === null) throw refusal("badStream");
      open.get(id)?.end();
      const me = view.self?.memName ?? "";
      const style = {
        tool: options.tool ?? "pen",
        colour: options.colour ?? colourOf(me),
        size: options.size ?? MARK_SIZES.medium,
      };
      const { canvas, remove } = cover(video);
      const surface = createSurface({
        env: browserSurfaceEnv(),
        canvas,
        video,
        streamId: id,
        marks: source,
        mirrored: options.mirrored ?? false,
        me: () => me,
        nameOf(memName) {
          const member = [...face.view().members.values()].find((one) => one.memName === memName);
          return member === undefined || member.nickName === "" ? memName : member.nickName;
        },
        style: () => style,
        send: (changes) => core.commands.annotate({ streamId: id, changes }),
        onError: (error) => warn(`graffitiVideo: ${String(error)}`),
        textLabel: () => options.textLabel ?? "text",
      });
      surface.draw(options.draw ?? true);
      const graffiti: Graffiti = {
        canvas,
        draw: (on) => surface.draw(on),
        tool(tool) {
          style.tool = tool;
        },
        colour(colour) {
          style.colour = colour;
        },
        size(size) {
          style.size = size;
        },
        undo: () => surface.undo(),
        async clear() {
          await core.commands.annotate({ streamId: id, changes: [{ t: "clear" }] });
        },
        async forbid(on) {
          await core.commands.annotate({ streamId: id, changes: [{ t: "lock", on }] });
        },
        end() {
          if (open.get(id) !== graffiti) return;
          open.delete(id);
          surface.end();
          remove();
        },
      };
      open.set(id, graffiti);
      return graffiti;
    },
  };
  return {
    api,
    update(streams) {
      for (const [id, graffiti] of open) if (!streams.has(id)) graffiti.end();
    },
    listen() {
      listen();
    },
    end() {
      for (const graffiti of open.values()) graffiti.end();
      marks?.end();
      marks = null;
    },
  };
}
