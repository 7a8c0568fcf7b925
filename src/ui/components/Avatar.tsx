/** A person's picture, else the first character of the name on a colour. The colour derives from the name, so it is the same on every page. */
import { useState } from "react";
import "./avatar.css";

const TONES = 6;
const toneOf = (name: string): number =>
  [...name].reduce((sum, c) => (sum * 31 + (c.codePointAt(0) ?? 0)) % 9973, 7) % TONES;

export function Avatar(props: {
  readonly name: string;
  readonly src?: string | undefined;
  readonly size?: number;
  /** undefined: no dot */
  readonly online?: boolean | undefined;
}) {
  const { name, src = "", size = 36, online } = props;
  const [broken, setBroken] = useState<string | null>(null);
  const picture = src !== "" && broken !== src;
  return (
    <span
      className="avatar"
      data-tone={toneOf(name.trim())}
      style={{ width: size, height: size, fontSize: Math.round(size * 0.42) }}
      aria-hidden="true"
    >
      {picture ? (
        <img src={src} alt="" onError={() => setBroken(src)} />
      ) : (
        ([...name.trim()][0] ?? "?").toUpperCase()
      )}
      {online !== undefined && <i className={online ? "avatar-dot avatar-dot-on" : "avatar-dot"} />}
    </span>
  );
}
