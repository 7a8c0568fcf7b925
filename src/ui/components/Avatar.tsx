/** A person's picture, else the first character of the name on a colour. The colour derives from the name, so it is the same on every page. */
import { useEffect, useState } from "react";
import { isChatUserName, isStoredName } from "../../shared/domain/picture-names.ts";
import { useCore } from "../state/services.ts";
import "./avatar.css";

/** ms after which a picture that could not be read is asked for again, and again. */
const [AGAIN, LATER] = [5_000, 60_000];
const TONES = 6;
const toneOf = (name: string): number =>
  [...name].reduce((sum, c) => (sum * 31 + (c.codePointAt(0) ?? 0)) % 9973, 7) % TONES;

export function Avatar(props: {
  readonly name: string;
  /** What the platform says of the picture: an address, or the name of a stored one. */
  readonly src?: string | undefined;
  /** Chat user name, where the page knows nothing of a picture. */
  readonly person?: string | null | undefined;
  readonly size?: number;
  /** undefined: no dot */
  readonly online?: boolean | undefined;
}) {
  const { name, src = "", size = 36, online } = props;
  const [broken, setBroken] = useState<string | null>(null);
  const address = useAddress(src, props.person ?? "");
  const picture = address !== "" && broken !== address;
  return (
    <span
      className="avatar"
      translate="no"
      data-tone={toneOf(name.trim())}
      style={{ width: size, height: size, fontSize: Math.round(size * 0.42) }}
      aria-hidden="true"
    >
      {picture ? (
        <img src={address} alt="" onError={() => setBroken(address)} />
      ) : (
        ([...name.trim()][0] ?? "?").toUpperCase()
      )}
      {online !== undefined && <i className={online ? "avatar-dot avatar-dot-on" : "avatar-dot"} />}
    </span>
  );
}

/** The address of the picture; empty without one. A stored picture needs a token, so the core reads it. */
function useAddress(src: string, person: string): string {
  const core = useCore();
  const stored = isStoredName(src);
  const userName = src === "" && isChatUserName(person) ? person : null;
  const wanted = stored ? src : userName;
  const [found, setFound] = useState<{ readonly wanted: string; readonly url: string } | null>(
    null,
  );
  useEffect(() => {
    if (wanted === null) return undefined;
    let url: string | null = null;
    let ended = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = (pause: number): void => {
      core.commands.files.avatar(stored ? { name: wanted } : { userName: wanted }).then(
        (blob) => {
          if (ended || blob === null) return;
          url = URL.createObjectURL(blob);
          setFound({ wanted, url });
        },
        // The letter stays meanwhile.
        () => {
          if (!ended) timer = setTimeout(() => read(LATER), pause);
        },
      );
    };
    read(AGAIN);
    return () => {
      ended = true;
      clearTimeout(timer);
      if (url !== null) URL.revokeObjectURL(url);
      setFound(null);
    };
  }, [core, stored, wanted]);
  if (wanted === null) return src;
  return found?.wanted === wanted ? found.url : "";
}
