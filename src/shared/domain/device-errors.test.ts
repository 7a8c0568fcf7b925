/** The table of device errors: every name that a browser may give leads to a row, and every row says what to do. */
import { describe, expect, it } from "vitest";
import { ERROR_CATALOGUE } from "../errors.ts";
import {
  causeAfterLoss,
  DEVICE_ERRORS,
  deviceCauseOf,
  deviceErrorRow,
  ERROR_NAMES,
  isUsable,
  lineOf,
  OWN_DEVICES,
  wordsOf,
} from "./device-errors.ts";
import { DEVICE_CAUSES, DEVICE_STATES, causeOfState, isOpenState } from "./device-states.ts";

const named = (name: string, message = "x"): Error => Object.assign(new Error(message), { name });

/** Every name of a DOMException (Web IDL), and the error of getUserMedia that is none. */
const DOM_NAMES = [
  "IndexSizeError",
  "HierarchyRequestError",
  "WrongDocumentError",
  "InvalidCharacterError",
  "NoModificationAllowedError",
  "NotFoundError",
  "NotSupportedError",
  "InUseAttributeError",
  "InvalidStateError",
  "SyntaxError",
  "InvalidModificationError",
  "NamespaceError",
  "InvalidAccessError",
  "TypeMismatchError",
  "SecurityError",
  "NetworkError",
  "AbortError",
  "URLMismatchError",
  "QuotaExceededError",
  "TimeoutError",
  "InvalidNodeTypeError",
  "DataCloneError",
  "EncodingError",
  "NotReadableError",
  "UnknownError",
  "ConstraintError",
  "DataError",
  "TransactionInactiveError",
  "ReadOnlyError",
  "VersionError",
  "OperationError",
  "NotAllowedError",
  "OptOutError",
  "OverconstrainedError",
  "TypeError",
];

describe("what the browser says", () => {
  it.each(DOM_NAMES)("%s leads to a row of each device", (name) => {
    const cause = deviceCauseOf(named(name));
    expect(cause).toBe(ERROR_NAMES[name] ?? "failed");
    for (const device of OWN_DEVICES) {
      expect(DEVICE_ERRORS).toContain(deviceErrorRow(device, cause));
    }
  });

  it.each([
    ["NotAllowedError", "Permission denied", "denied"],
    ["NotAllowedError", "Permission dismissed", "denied"],
    ["NotAllowedError", "Permission denied by system", "system-denied"],
    [
      "NotAllowedError",
      "The request is not allowed by the user agent or the platform in the current context.",
      "denied",
    ],
    ["NotReadableError", "Could not start video source", "busy"],
    ["NotFoundError", "Requested device not found", "missing"],
    ["OverconstrainedError", "", "unfit"],
    ["AbortError", "Starting videoinput failed", "aborted"],
    ["SecurityError", "", "insecure"],
    ["InvalidStateError", "", "inactive"],
  ] as const)("%s (%s) is %s", (name, message, cause) => {
    expect(deviceCauseOf(named(name, message))).toBe(cause);
  });

  it("is a failure when it is no error at all", () => {
    expect(deviceCauseOf("no")).toBe("failed");
    expect(deviceCauseOf(undefined)).toBe("failed");
  });

  it("of a device that was open means that its permission was taken away, or that it was unplugged", () => {
    expect(DEVICE_CAUSES.filter((cause) => causeAfterLoss(cause) !== cause)).toEqual([
      "denied",
      "missing",
    ]);
    expect(causeAfterLoss("denied")).toBe("revoked");
    expect(causeAfterLoss("missing")).toBe("unplugged");
  });
});

describe("the table", () => {
  it("has one row for each device and each cause", () => {
    expect(DEVICE_ERRORS.map(({ device, cause }) => `${device} ${cause}`)).toEqual(
      OWN_DEVICES.flatMap((device) => DEVICE_CAUSES.map((cause) => `${device} ${cause}`)),
    );
  });

  it("is silent only where the person ended the sharing of a screen, or did not begin it", () => {
    expect(
      DEVICE_ERRORS.filter(({ silent }) => silent).map((row) => `${row.device} ${row.cause}`),
    ).toEqual(["screen denied", "screen revoked", "screen unplugged"]);
  });

  it("keeps the button for whatever a click may cure", () => {
    const dead = DEVICE_ERRORS.filter(({ usable }) => !usable).map(({ cause }) => cause);
    expect([...new Set(dead)]).toEqual(["insecure", "unsupported"]);
    expect(isUsable("camera", "busy")).toBe(true);
    expect(isUsable("camera", "insecure")).toBe(false);
    expect(isUsable("microphone", undefined)).toBe(true);
  });

  it.each(DEVICE_ERRORS.filter(({ silent }) => !silent))(
    "$device $cause has words of its own in both languages, and a way out",
    (row) => {
      expect(ERROR_CATALOGUE[row.code]).toBeDefined();
      const same = DEVICE_ERRORS.filter(
        ({ device, what }) =>
          device === row.device && (what.zh === row.what.zh || what.en === row.what.en),
      );
      expect(same).toEqual([row]);
      expect(row.advice.zh).toMatch(/请/u);
      expect(row.advice.en).toMatch(/^[A-Z]/u);
      expect(row.ways.length).toBeGreaterThan(0);
      expect(row.usable).toBe(row.cause !== "insecure" && row.cause !== "unsupported");
    },
  );

  it("tells what is wrong and what to do in one line, of one device or of both", () => {
    expect(lineOf(deviceErrorRow("camera", "busy"))).toEqual({
      zh: "摄像头被其他程序占用，请关闭该程序后重试，或更换设备",
      en: "Another program uses the camera. Close it and try again, or choose another device",
    });
    expect(wordsOf("both", "missing").what).toEqual({
      zh: "没有找到麦克风和摄像头",
      en: "No microphone and camera was found",
    });
    expect(wordsOf("microphone", "denied", "safari").advice.zh).toMatch(/Safari/u);
    expect(wordsOf("microphone", "busy", "safari")).toEqual(wordsOf("microphone", "busy"));
  });
});

it("The states of a device are its causes, and off, asking and on", () => {
  expect(DEVICE_STATES.filter((state) => causeOfState(state) === null)).toEqual([
    "off",
    "asking",
    "on",
  ]);
  expect(DEVICE_STATES.filter((state) => isOpenState(state))).toEqual(["on", "system-muted"]);
});
