/** Arranges members and streams into tiles. Pure. */
import type { Snapshot } from "valtio";
import { CONFERENCE_ROLE } from "../../../shared/domain/conference-types.ts";
import type { ConferenceSlice, ConferenceStreamView } from "../../../shared/protocol/state.ts";

type Slice = Snapshot<ConferenceSlice>;
export type Member = Slice["members"][string];
export type Stream = Snapshot<ConferenceStreamView>;

export interface Tile {
  readonly key: string;
  readonly kind: "camera" | "screen";
  readonly member: Member;
  /** null for a member without a stream. */
  readonly stream: Stream | null;
  readonly self: boolean;
}

const CAMERA = 0;
const SCREEN = 1;

/** Screens first, the newest before the others, then oneself, then the others in order of entry. An audience member without a stream has no tile. */
export function tilesOf(slice: Pick<Slice, "members" | "streams" | "self">): readonly Tile[] {
  const streams = Object.values(slice.streams);
  const streamsOf = (memId: string, type: number): Stream[] =>
    streams.filter((stream) => stream.memId === memId && stream.type === type);
  const members = Object.values(slice.members);
  const selfId = slice.self?.memId;
  const ordered = [
    ...members.filter((member) => member.memId === selfId),
    ...members.filter((member) => member.memId !== selfId),
  ];
  // The slice has the streams in the order in which they came.
  const screens = streams
    .filter((stream) => stream.type === SCREEN && !stream.located)
    .toReversed()
    .flatMap((stream): Tile[] => {
      const member = members.find(({ memId }) => memId === stream.memId);
      return member === undefined
        ? []
        : [{ key: stream.id, kind: "screen", member, stream, self: false }];
    });
  const cameras = ordered.flatMap((member): Tile[] => {
    const [stream = null] = streamsOf(member.memId, CAMERA);
    const self = member.memId === selfId;
    if (stream === null && member.role === CONFERENCE_ROLE.audience && !self) return [];
    return [{ key: `m:${member.memId}`, kind: "camera", member, stream, self }];
  });
  return [...screens, ...cameras];
}

/** Members with a raised hand, who raised it first comes first. */
export const handsOf = (members: Slice["members"]): readonly Member[] =>
  Object.values(members)
    .filter((member) => member.hand !== undefined)
    .sort((a, b) => (a.hand ?? 0) - (b.hand ?? 0));

/** Whether the member cannot turn its sound on by itself. */
export const isSilenced = (
  { muteAll, mayUnmute }: Pick<Slice, "muteAll" | "mayUnmute">,
  { role, muted, free }: Member,
): boolean =>
  role !== CONFERENCE_ROLE.admin && (muted === true || (muteAll && !mayUnmute && free !== true));

export const nameOf = (member: Member): string =>
  member.nickName === "" ? member.memName : member.nickName;

/**
 * The large tile: a screen, else the member who talks (oneself only when alone), else the previous one, else the first.
 * @param before key of the previous large tile
 */
export function speakerOf(tiles: readonly Tile[], before: string | null): Tile | null {
  const screen = tiles.find((tile) => tile.kind === "screen");
  if (screen !== undefined) return screen;
  const others = tiles.filter((tile) => !tile.self);
  const known = others.find((tile) => tile.key === before);
  if (known?.stream?.talking === true) return known;
  return (
    others.find((tile) => tile.stream?.talking === true) ?? known ?? others[0] ?? tiles[0] ?? null
  );
}

/** What the person chose for the stage. */
export interface StageChoice {
  readonly layout: "grid" | "speaker";
  /** Key of the tile that stays large. */
  readonly pinned: string | null;
  /** Keys of shared screens that the person sent back to the grid. */
  readonly dismissed: readonly string[];
  /** Key of the previous large tile. */
  readonly last: string | null;
}

/** The large tile: the pinned one, else the newest shared screen, else in the layout of the speaker the speaker; null: a grid. */
export function largeOf(tiles: readonly Tile[], choice: StageChoice): Tile | null {
  const { layout, pinned, dismissed, last } = choice;
  const chosen = tiles.find((tile) => tile.key === pinned);
  if (chosen !== undefined) return chosen;
  const screen = tiles.find((tile) => tile.kind === "screen" && !dismissed.includes(tile.key));
  return screen ?? (layout === "speaker" ? speakerOf(tiles, last) : null);
}

/** Least width of a tile with the space beside it, px. Rows have a least height in conference.css; a stage that is too small scrolls. */
const LEAST_WIDTH = 112;

/**
 * `grid-column` of a tile of the grid, in which a column has two tracks: a last row that is not full stands in the middle.
 *
 * @param index of the tile
 */
export function placeOf(index: number, count: number, columns: number): string {
  const last = count % columns;
  return last > 0 && index === count - last ? `${columns - last + 1} / span 2` : "span 2";
}

/** Number of columns for `count` tiles of 16:9 in a box of this size, px. */
export function columnsFor(
  count: number,
  { width, height }: { readonly width: number; readonly height: number },
): number {
  const fitting = Math.round(Math.sqrt((count * (width / height)) / (16 / 9)));
  return Math.max(1, Math.min(count, fitting, Math.floor(width / LEAST_WIDTH)));
}
