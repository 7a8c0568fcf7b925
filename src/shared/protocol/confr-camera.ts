/**
 * What one member does to another's camera (op 1002 with op2 20), in three shapes: the command of a tab, the action that the owner tab of
 * the controlled member carries out, and the argument on the wire (docs/conferences.md#remote-camera).
 */
import { z } from "../zod.ts";
import { MUTE_OPS, OP2, REQUIRED_OPS } from "./confr-codes.ts";

/** The wire has factors, and fractions of a picture's sides, as integers: times this. */
export const CAMERA_SCALE = 10_000;
/** The largest zoom that a request may name. A camera stops at its own limit before. */
const MAX_ZOOM = 1000;
/** Characters of a picture in an answer, as a data URL. The wire takes 2 MB a frame, with everything around the picture. */
export const PICTURE_LENGTH = 1_900_000;
/** Bytes of the picture that a tab makes for an answer: in base64 a third more. */
export const PICTURE_BYTES = 1_000_000;

const streamId = z.string().min(1).max(64);
const fraction = z.number().min(0).max(1);

/** What a tab asks for. `on` left out: the opposite of now. */
export const cameraControlSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("torch"), on: z.boolean().optional() }),
  /** Multiplies the present zoom. */
  z.object({ kind: z.literal("zoom"), by: z.number().positive().max(MAX_ZOOM) }),
  /** Focuses and exposes for a point of the picture that is shown, in fractions of its sides from the left and the top. */
  z.object({ kind: z.literal("focus"), x: fraction, y: fraction }),
  z.object({ kind: z.literal("freeze"), on: z.boolean().optional() }),
  z.object({ kind: z.literal("capture") }),
  /** The next camera of the device. */
  z.object({ kind: z.literal("switch") }),
]);
export type CameraControl = z.infer<typeof cameraControlSchema>;
export type CameraKind = CameraControl["kind"];

/** What the owner tab does with its own camera. */
export const cameraActionSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("torch"), on: z.boolean() }),
  /** The whole zoom, 1 for none. */
  z.object({ kind: z.literal("zoom"), zoom: z.number().min(1).max(MAX_ZOOM) }),
  z.object({
    kind: z.literal("focus"),
    x: fraction,
    y: fraction,
    focus: z.boolean(),
    expo: z.boolean(),
  }),
  z.object({ kind: z.literal("freeze"), on: z.boolean() }),
  z.object({ kind: z.literal("capture") }),
  z.object({ kind: z.literal("switch") }),
  /** The person's own: ends zoom, torch and freeze. */
  z.object({ kind: z.literal("restore") }),
]);
export type CameraAction = z.infer<typeof cameraActionSchema>;
/** An action of another member. */
export type RemoteCameraAction = Exclude<CameraAction, { kind: "restore" }>;

/** What all tabs see of a controlled camera. */
export const cameraStateSchema = z.object({
  torch: z.boolean(),
  freezeFrame: z.boolean(),
  /** 1: the whole picture. */
  zoom: z.number().min(1),
});
export type CameraState = z.infer<typeof cameraStateSchema>;
export const CAMERA_AT_REST: CameraState = { torch: false, freezeFrame: false, zoom: 1 };

/** The owner tab's answer to an action. */
export const cameraDoneSchema = z.object({
  /** RESULT or CONFR_RESULT. */
  result: z.number().int(),
  /** A picture as a data URL. */
  pic: z.string().max(PICTURE_LENGTH).optional(),
  /** The zoom that the camera has reached. */
  zoom: z.number().min(1).optional(),
});
export type CameraDone = z.infer<typeof cameraDoneSchema>;

const flag = z.union([z.literal(0), z.literal(1)]);
const scaled = z.number().int().min(0).max(CAMERA_SCALE);
/** The argument of a request. Clients of the platform's library send `focus` and `expo` together, and everything else alone. */
export const cameraRequestSchema = z.object({
  op2: z.literal(OP2.mediaControl),
  streamId,
  tor: flag.optional(),
  frz: flag.optional(),
  pic: z.literal(1).optional(),
  /** Whether the answer carries the picture. */
  rspBase64Pic: z.boolean().optional(),
  /** The whole zoom, scaled. */
  zoom: z
    .number()
    .int()
    .min(CAMERA_SCALE)
    .max(MAX_ZOOM * CAMERA_SCALE)
    .optional(),
  focus: flag.optional(),
  expo: flag.optional(),
  /** The point of `focus` and `expo`, scaled. */
  x: scaled.optional(),
  y: scaled.optional(),
  /** Ours: the next camera. */
  cam: z.literal(1).optional(),
});
export type CameraRequest = z.infer<typeof cameraRequestSchema>;

/** The argument of an answer. Other clients send only `pic`, or nothing. */
export const cameraAnswerSchema = z.object({
  pic: z.string().max(PICTURE_LENGTH).optional(),
  /** Ours: the zoom that the camera has reached, scaled. */
  zoom: z
    .number()
    .int()
    .min(CAMERA_SCALE)
    .max(MAX_ZOOM * CAMERA_SCALE)
    .optional(),
});

export const toScale = (value: number): number => Math.round(value * CAMERA_SCALE);
const flagOf = (on: boolean): 0 | 1 => (on ? 1 : 0);

/** @returns the argument that asks for this action */
export function requestOf(id: string, action: RemoteCameraAction): CameraRequest {
  const head = { op2: OP2.mediaControl, streamId: id } as const;
  switch (action.kind) {
    case "torch":
      return { ...head, tor: flagOf(action.on) };
    case "freeze":
      return { ...head, frz: flagOf(action.on) };
    case "zoom":
      return { ...head, zoom: toScale(action.zoom) };
    case "focus": {
      const { x, y, focus, expo } = action;
      const point = { x: toScale(x), y: toScale(y) };
      return { ...head, focus: flagOf(focus), expo: flagOf(expo), ...point };
    }
    case "capture":
      return { ...head, pic: 1, rspBase64Pic: true };
    case "switch":
      return { ...head, cam: 1 };
  }
}

/**
 * Reads a request that is valid by its schema.
 *
 * @returns null when it asks for nothing, for several things at once, or for a picture that stays here: nobody here would keep it
 */
export function actionOf(request: CameraRequest): RemoteCameraAction | null {
  const { tor, frz, pic, rspBase64Pic, zoom, focus = 0, expo = 0, x, y, cam } = request;
  const actions: (RemoteCameraAction | null)[] = [];
  if (tor !== undefined) actions.push({ kind: "torch", on: tor === 1 });
  if (frz !== undefined) actions.push({ kind: "freeze", on: frz === 1 });
  if (pic !== undefined) actions.push(rspBase64Pic === true ? { kind: "capture" } : null);
  if (zoom !== undefined) actions.push({ kind: "zoom", zoom: zoom / CAMERA_SCALE });
  if (cam !== undefined) actions.push({ kind: "switch" });
  if (focus === 1 || expo === 1) {
    const place =
      x === undefined || y === undefined ? null : { x: x / CAMERA_SCALE, y: y / CAMERA_SCALE };
    actions.push(
      place === null ? null : { kind: "focus", ...place, focus: focus === 1, expo: expo === 1 },
    );
  }
  return actions.length === 1 ? (actions[0] ?? null) : null;
}

const OPS: Readonly<Record<CameraKind, readonly number[]>> = {
  torch: [REQUIRED_OPS.tor],
  freeze: [REQUIRED_OPS.frz],
  capture: [REQUIRED_OPS.pic],
  zoom: [REQUIRED_OPS.zoom],
  focus: [REQUIRED_OPS.focus, REQUIRED_OPS.expo],
  switch: [REQUIRED_OPS.cam],
};
/** The codes that a member must have declared (`res.ops`) to be asked for this. */
export const opsFor = (kind: CameraKind): readonly number[] => OPS[kind];
/** What a member that lets others control its camera declares. */
export const CAMERA_OPS: readonly number[] = Object.values(OPS).flat();
/** What every member declares beside its texts: an admin may mute it. */
export const ALWAYS_ACCEPTED: readonly number[] = MUTE_OPS;

const PICTURE = /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/;
const BARE = /^[A-Za-z0-9+/]+={0,2}$/;
/** How base64 of these files begins. */
const BEGINNINGS = { "/9j/": "jpeg", iVBORw0KGgo: "png" } as const;

/**
 * The picture of an answer. Another member sent it, so only base64 of a picture counts.
 *
 * @returns a data URL; null for anything else
 */
export function pictureOf(pic: string | undefined): string | null {
  if (pic === undefined) return null;
  if (PICTURE.test(pic)) return pic;
  const found = Object.entries(BEGINNINGS).find(([start]) => pic.startsWith(start));
  return found !== undefined && BARE.test(pic) ? `data:image/${found[1]};base64,${pic}` : null;
}
/** Every kind of control. */
export const REQUEST_KINDS = Object.keys(OPS) as readonly CameraKind[];
