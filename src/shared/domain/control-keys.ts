/** Which key a `keyCode` means on the keyboard of the United States: the platform's own library sends nothing else of a key. */

export interface Key {
  /** As `key` of the browser's event; "Unidentified" for an unknown code. */
  readonly key: string;
  readonly code: string;
}

const NAMED: Readonly<Record<number, string>> = {
  8: "Backspace",
  9: "Tab",
  13: "Enter",
  16: "Shift",
  17: "Control",
  18: "Alt",
  20: "CapsLock",
  27: "Escape",
  33: "PageUp",
  34: "PageDown",
  35: "End",
  36: "Home",
  37: "ArrowLeft",
  38: "ArrowUp",
  39: "ArrowRight",
  40: "ArrowDown",
  45: "Insert",
  46: "Delete",
  91: "Meta",
  93: "ContextMenu",
};
const CODES: Readonly<Record<number, string>> = {
  16: "ShiftLeft",
  17: "ControlLeft",
  18: "AltLeft",
  91: "MetaLeft",
};
/** code, key, key with Shift */
const SIGNS: Readonly<Record<number, readonly [string, string, string]>> = {
  32: ["Space", " ", " "],
  186: ["Semicolon", ";", ":"],
  187: ["Equal", "=", "+"],
  188: ["Comma", ",", "<"],
  189: ["Minus", "-", "_"],
  190: ["Period", ".", ">"],
  191: ["Slash", "/", "?"],
  192: ["Backquote", "`", "~"],
  219: ["BracketLeft", "[", "{"],
  220: ["Backslash", "\\", "|"],
  221: ["BracketRight", "]", "}"],
  222: ["Quote", "'", '"'],
};
const SHIFTED_DIGITS = ")!@#$%^&*(";

/** @param shift whether the Shift key is down */
export function keyOf(keyCode: number, shift: boolean): Key {
  const named = NAMED[keyCode];
  if (named !== undefined) return { key: named, code: CODES[keyCode] ?? named };
  const sign = SIGNS[keyCode];
  if (sign !== undefined) return { key: sign[shift ? 2 : 1], code: sign[0] };
  const text = String.fromCharCode(keyCode);
  if (keyCode >= 65 && keyCode <= 90) {
    return { key: shift ? text : text.toLowerCase(), code: `Key${text}` };
  }
  if (keyCode >= 48 && keyCode <= 57) {
    return { key: shift ? (SHIFTED_DIGITS[keyCode - 48] ?? text) : text, code: `Digit${text}` };
  }
  if (keyCode >= 96 && keyCode <= 105) {
    return { key: String(keyCode - 96), code: `Numpad${keyCode - 96}` };
  }
  if (keyCode >= 112 && keyCode <= 123) {
    return { key: `F${keyCode - 111}`, code: `F${keyCode - 111}` };
  }
  return { key: "Unidentified", code: "" };
}
