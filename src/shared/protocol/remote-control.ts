/**
 * Control of a shared screen: the argument of op 1002 with op2 30, the input that travels in it, and what tabs see of it
 * (docs/conferences.md#control-of-a-screen). Numbers and field names are those of the platform's own library.
 */
import { z } from "../zod.ts";
import {
  CONTROL_ENDS,
  CONTROLLED_STATES,
  CONTROLLER_STATES,
  MOST_ACTIONS,
  OPER,
  PICTURE_SCALE,
} from "../domain/remote-control.ts";
import { OP2 } from "./confr-codes.ts";

const coordinate = z
  .number()
  .transform((value) => Math.min(PICTURE_SCALE, Math.max(0, Math.round(value))));
const sn = z.number().int().nonnegative();
/** ms since the epoch, by the controller's clock */
const time = z.number().nonnegative();

const pointerShape = {
  oper: z.union([z.literal(OPER.up), z.literal(OPER.down), z.literal(OPER.move)]),
  /** A bit of BUTTON; 0 for a move. */
  btn: z.number().int().min(0).max(31).default(0),
  /** 0 to 10000 from the left and from the top of the picture. */
  x: coordinate,
  y: coordinate,
};
const keyShape = {
  oper: z.union([z.literal(OPER.keyDown), z.literal(OPER.keyUp)]),
  /** `keyCode` of the browser's event. */
  btn: z.number().int().min(0).max(65_535),
  /** `key` and `code` of the browser's event. Ours; an older client sends neither. */
  key: z.string().max(32).optional(),
  code: z.string().max(32).optional(),
};
/** One action of mouse or keyboard, without its number. */
export const controlInputSchema = z.union([z.object(pointerShape), z.object(keyShape)]);
export type ControlInput = z.infer<typeof controlInputSchema>;
/** One action with its number and time, as the controlled side executes it. */
export const controlActionSchema = z.union([
  z.object({ ...pointerShape, sn, time }),
  z.object({ ...keyShape, sn, time }),
]);
export type ControlAction = z.infer<typeof controlActionSchema>;

/** On the wire the platform's library names the time `_time`. Both are read, `_time` is sent. */
const wireActionSchema = z.preprocess((value) => {
  if (typeof value !== "object" || value === null) return value;
  const { _time: at, ...rest } = value as Record<string, unknown>;
  return { time: at ?? 0, ...rest };
}, controlActionSchema);

const cId = z.string().min(1).max(64);
/** The argument of op 1002 with op2 30. Actions are read one by one, so that a bad one does not cost the others. */
export const controlArgSchema = z.object({
  op2: z.literal(OP2.panelControl),
  evt: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)]).default(0),
  streamId: z.string().min(1).max(64),
  cId,
  actions: z.array(z.unknown()).max(MOST_ACTIONS).default([]),
});
export type PanelArg = z.infer<typeof controlArgSchema>;

/** @returns the good actions in the order of their numbers, and how many were bad */
export function readActions(given: readonly unknown[]): {
  readonly actions: readonly ControlAction[];
  readonly bad: number;
} {
  const actions = given.flatMap((one) => {
    const { data } = wireActionSchema.safeParse(one);
    return data === undefined ? [] : [data];
  });
  return { actions: actions.toSorted((a, b) => a.sn - b.sn), bad: given.length - actions.length };
}

export const writeAction = ({ time: at, ...action }: ControlAction): Record<string, unknown> => ({
  ...action,
  _time: at,
});

const side = {
  streamId: z.string(),
  /** The other member. */
  memId: z.string(),
  nickName: z.string(),
};
const controlCountsSchema = z.object({
  /** Actions that were executed. */
  executed: z.number().int(),
  /** Actions that came with a number not above that of an earlier one, and were dropped. */
  late: z.number().int(),
  /** Numbers that never came. The platform's library leaves out moves when its buffer is full. */
  missing: z.number().int(),
  /** Actions that could not be read. */
  bad: z.number().int(),
});
export type ControlCounts = z.infer<typeof controlCountsSchema>;

/** What tabs see. `control` of the slice of a conference. */
export const controlViewSchema = z.object({
  /** Whether something here can execute input in the own shared screen. */
  able: z.boolean(),
  /** The own shared screen. `by` is the member who asks or controls. */
  screen: z.object({
    state: z.enum(CONTROLLED_STATES),
    /** Id of the request, or of the control. */
    id: z.string(),
    by: z.object(side).nullable(),
    since: z.number(),
  }),
  /** This person as the controller of another's screen. */
  own: z.object({ state: z.enum(CONTROLLER_STATES), of: z.object(side).nullable() }),
  /** How the last control of another's screen ended. */
  ended: z.object({ ...side, id: z.string(), why: z.enum(CONTROL_ENDS) }).nullable(),
  /** How the last control of the own screen ended. */
  freed: z
    .object({ ...side, id: z.string(), why: z.enum(CONTROL_ENDS), counts: controlCountsSchema })
    .nullable(),
});
export type ControlView = z.infer<typeof controlViewSchema>;
/** Commands of the core to the owner tab, inside `conference` of the media port. */
export const controlCommands = [
  z.object({ t: z.literal("control-begin"), ...side }),
  z.object({ t: z.literal("control-input"), actions: z.array(controlActionSchema) }),
  z.object({ t: z.literal("control-end") }),
] as const;
export type ControlCommand = z.infer<(typeof controlCommands)[number]>;
/** Whether this tab can execute input in the screen that it shares. Sent on change. */
export const controlAbleEvent = z.object({ t: z.literal("control-able"), able: z.boolean() });
