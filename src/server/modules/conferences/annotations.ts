/**
 * Annotations over streams (docs/conferences.md#annotations): who may draw, the limits, the marks of each stream, and their changes to
 * the members that declare op 312.
 */
import {
  applyMarkChange,
  type BoardChange,
  type BoardCopy,
  copyOfBoard,
  emptyBoard,
  type Mark,
  MARK_LIMITS,
  markBytes,
  type MarkChange,
} from "../../../shared/domain/annotations.ts";
import { CONFERENCE_ROLE } from "../../../shared/domain/conference-types.ts";
import { OP, RESULT } from "../../../shared/protocol/signalling.ts";
import { reachable } from "./state.ts";
import type { ConferenceState, Session, StreamMarks, Verdict } from "./types.ts";

/** ms in which changes are gathered, so that a member gets at most 30 messages a second over a stream, however many draw. */
export const GATHER_MS = 34;
const SECOND = 1000;

const refuse = (msg: string): Verdict => ({ result: RESULT.notAllowed, msg });
const takesPart = ({ member }: Session): boolean => member.acptOps.includes(OP.annotate);

function send(conference: ConferenceState, streamId: string, marks: StreamMarks): void {
  const changes = marks.pending;
  marks.pending = [];
  if (changes.length === 0) return;
  const { seq } = marks.board;
  for (const session of reachable(conference)) {
    if (!takesPart(session)) continue;
    session.socket?.send({ op: OP.annotate, sessId: session.sessId, streamId, seq, changes });
  }
}

/** Sends the first change at once, and gathers those that follow it. */
function sendSoon(conference: ConferenceState, streamId: string, marks: StreamMarks): void {
  if (marks.gathering !== null) return;
  send(conference, streamId, marks);
  marks.gathering = conference.deps.clock.setTimeout(() => {
    marks.gathering = null;
    if (marks.pending.length > 0) sendSoon(conference, streamId, marks);
  }, GATHER_MS);
}

/** What a batch of changes would add to a stream, checked before any of them is applied. */
function refusalOf(
  session: Session,
  { board, bytes }: Pick<StreamMarks, "board" | "bytes">,
  changes: readonly MarkChange[],
  owner: boolean,
): Verdict | null {
  const { role, memName } = session.member;
  const manages = owner || role === CONFERENCE_ROLE.admin;
  let { size } = board.marks;
  let more = 0;
  /** Numbers of the points of the marks that the batch adds or extends. */
  const lengths = new Map<string, number>();
  for (const change of changes) {
    if (change.t === "clear" || change.t === "lock") {
      if (!manages) return refuse("只有画面所有者和主持人可以这样做");
      if (change.t === "clear") size = more = 0;
      continue;
    }
    if (change.t === "erase") {
      const others = change.ids.some((id) => {
        const mark = board.marks.get(id);
        return mark !== undefined && mark.by !== memName;
      });
      if (others) return refuse("只能擦除自己的标注");
      continue;
    }
    if (board.locked && !manages) return refuse("该画面已禁止标注");
    const known = board.marks.get(change.id);
    if (known !== undefined && known.by !== memName) return refuse("标注编号已被占用");
    const before = lengths.get(change.id) ?? known?.points.length ?? 0;
    if (change.t === "add") {
      if (known !== undefined) continue;
      size += 1;
      more += markBytes({ points: change.points, text: change.text ?? "" });
      lengths.set(change.id, change.points.length);
    } else {
      const after = Math.max(before, 2 * change.from + change.points.length);
      if (after > 2 * MARK_LIMITS.points) return refuse("单条笔迹过长");
      more += markBytes({ points: change.points, text: "" });
      lengths.set(change.id, after);
    }
  }
  const { conference } = session;
  const grows = more > 0;
  if (size > MARK_LIMITS.marks) return refuse("该画面的标注已满，请先清除");
  if (grows && bytes + more > MARK_LIMITS.streamBytes) return refuse("该画面的标注已满，请先清除");
  if (grows && conference.annotations.bytes + more > MARK_LIMITS.conferenceBytes) {
    return refuse("会议的标注已满，请先清除");
  }
  return null;
}

/** @returns ms until this person may send another message; 0 when one was counted now */
function countMessage({ annotations, deps }: ConferenceState, memName: string): number {
  const now = deps.clock.now();
  const recent = (annotations.sentAt.get(memName) ?? []).filter((at) => at > now - SECOND);
  annotations.sentAt.set(memName, recent);
  const [oldest = now] = recent;
  if (recent.length >= MARK_LIMITS.perSecond) return oldest + SECOND - now;
  recent.push(now);
  return 0;
}

const weigh = (marks: Iterable<Mark>): number => {
  let bytes = 0;
  for (const mark of marks) bytes += markBytes(mark);
  return bytes;
};

/** Op 312. @returns with success the number of the last change; with a refusal for the rate how long to wait */
export function annotate(
  session: Session,
  { streamId, changes }: { readonly streamId: string; readonly changes: readonly MarkChange[] },
): Verdict & { readonly seq?: number; readonly wait?: number } {
  const { conference, member } = session;
  const { annotations } = conference;
  if (member.role === CONFERENCE_ROLE.audience) return refuse("观众不能标注");
  const stream = conference.streams.get(streamId);
  if (stream === undefined) return { result: RESULT.notFound, msg: "流不存在" };
  const wait = countMessage(conference, member.memName);
  if (wait > 0) return { ...refuse("标注过于频繁"), wait };
  const marks = annotations.boards.get(streamId) ?? {
    board: emptyBoard(),
    bytes: 0,
    pending: [],
    gathering: null,
  };
  const owner = stream.owner.member.memName === member.memName;
  const refused = refusalOf(session, marks, changes, owner);
  if (refused !== null) return refused;
  annotations.boards.set(streamId, marks);
  const { board } = marks;
  let changed = false;
  for (const change of changes) {
    const made: BoardChange = { ...change, by: member.memName };
    if (!applyMarkChange(board, made)) continue;
    board.seq += 1;
    marks.pending.push(made);
    changed = true;
  }
  if (changed) {
    const bytes = weigh(board.marks.values());
    annotations.bytes += bytes - marks.bytes;
    marks.bytes = bytes;
    sendSoon(conference, streamId, marks);
  }
  return { result: RESULT.ok, seq: board.seq };
}

/** The stream is gone, and its marks with it. */
export function forgetMarks({ annotations }: ConferenceState, streamId: string): void {
  const marks = annotations.boards.get(streamId);
  if (marks === undefined) return;
  marks.gathering?.cancel();
  annotations.bytes -= marks.bytes;
  annotations.boards.delete(streamId);
}

/** The conference is over. */
export function stopAnnotations(conference: ConferenceState): void {
  for (const streamId of conference.annotations.boards.keys()) forgetMarks(conference, streamId);
}

/** The marks over all streams, for a member that declares the op; nothing for others. */
export function annotationsFor(session: Session): { readonly annotations?: BoardCopy[] } {
  if (!takesPart(session)) return {};
  const { boards } = session.conference.annotations;
  return { annotations: [...boards].map(([id, { board }]) => copyOfBoard(id, board)) };
}
