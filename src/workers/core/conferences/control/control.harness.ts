/** A conference in which somebody controls a screen: the own one, or that of the member "boss". */
import { type CONTROL_EVENT } from "../../../../shared/domain/remote-control.ts";
import { at, joined, type World } from "../conferences.harness.ts";

export const T1 = at("t1");
type Evt = (typeof CONTROL_EVENT)[keyof typeof CONTROL_EVENT];
interface Arg {
  readonly evt: number;
  readonly streamId: string;
  readonly cId: string;
  readonly sn?: number;
  readonly actions?: readonly Record<string, unknown>[];
}
const argOf = (frame: object): Arg => JSON.parse((frame as { arg: string }).arg) as Arg;

/** Answers and messages about control that this member has sent. */
const heardBy = (world: World) => ({
  /** Results and arguments of the answers, oldest first. */
  answers: () =>
    world.server.requestsOfOp(1001).map((frame) => ({
      tsxId: frame.tsxId,
      result: (frame as { result: number }).result,
      ...argOf(frame),
    })),
  /** Messages of this kind. */
  sent: (evt: Evt) =>
    world.server
      .requestsOfOp(1002)
      .map((frame) => ({ tsxId: frame.tsxId, ...argOf(frame) }))
      .filter((one) => one.evt === evt),
});

/** The own screen is shared from tab t1, which can execute input. */
export async function sharing(options: { readonly able?: boolean } = {}) {
  const one = await joined();
  const { world, tab, conferences } = one;
  world.server.enter("boss");
  world.server.enter("other");
  const published = conferences.handlers.publish({ type: 1, ext: "" }, T1);
  await world.run(200);
  const { streamId } = await published;
  if (options.able !== false) tab.emitConferenceEvent({ t: "control-able", able: true });
  await world.run(100);
  let count = 0;
  /** A message of another member. @returns its answer, if there is one yet */
  const from = async (
    memId: string,
    evt: Evt | 9,
    more: { cId?: string; streamId?: string; actions?: readonly unknown[] } = {},
  ) => {
    count += 1;
    const tsxId = `m${count}`;
    const arg = JSON.stringify({ op2: 30, evt, streamId, cId: "abcdef", ...more });
    world.server.socket?.receive({ op: 1002, tsxId, sessId: world.server.sessId, memId, arg });
    await world.run(100);
    return heardBy(world)
      .answers()
      .find((answer) => answer.tsxId === tsxId);
  };
  /** Boss asks, and this person agrees. */
  const controlled = async (cId = "abcdef"): Promise<void> => {
    await from("boss", 1, { cId });
    const { id } = world.slice.control.screen;
    await conferences.handlers.answerControl({ id, agree: true }, T1);
    await world.run(100);
  };
  /** Names of the commands about control that the tab got. */
  const orders = () =>
    tab.orders.flatMap((order) => (order.t.startsWith("control-") ? [order] : []));
  return { ...one, ...heardBy(world), streamId, from, controlled, orders };
}

/** Boss shares a screen, which this person receives. */
export async function watching(acptOps: readonly number[] = [1003, 100230]) {
  const one = await joined();
  const { world, conferences } = one;
  world.server.enter("boss");
  world.server.change("boss", { acptOps: [...acptOps] });
  world.server.publish("boss", "scr", 1);
  await world.run(400);
  const heard = heardBy(world);
  /** Boss answers a message. */
  const answer = async (tsxId: string | undefined, result: number, arg: object = {}) => {
    const { sessId, socket } = world.server;
    const text = JSON.stringify(arg);
    socket?.receive({ op: 1001, tsxId, sessId, memId: "boss", result, arg: text });
    await world.run(100);
  };
  const ask = async (): Promise<void> => {
    await conferences.handlers.askControl({ streamId: "scr" }, T1);
    await world.run(100);
  };
  const answerAsk = (result: number) => answer(heard.sent(1).at(-1)?.tsxId, result);
  /** Boss agrees. */
  const controlling = async (): Promise<void> => {
    await ask();
    await answerAsk(0);
  };
  const moves = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      oper: 2 as const,
      btn: 0,
      x: from + index,
      y: 5,
    }));
  const send = async (
    actions: Parameters<typeof conferences.handlers.sendControl>[0]["actions"],
  ) => {
    await conferences.handlers.sendControl({ streamId: "scr", actions }, T1);
    await world.run(50);
  };
  return { ...one, ...heard, answer, ask, answerAsk, controlling, moves, send };
}
