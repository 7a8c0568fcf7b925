/** Loads older messages when the top of the list comes near, and newer ones at its end while they are missing. */
import { useEffect, useRef, useState, type RefObject } from "react";
import { AppError } from "../../../../shared/errors.ts";
import { errorText } from "../../../i18n/index.ts";

/** px above and below the visible part at which loading begins. */
const AHEAD = "240px 0px 240px";

export interface More {
  /** Put it above, or below, the messages. */
  readonly edge: RefObject<HTMLDivElement | null>;
  readonly loading: boolean;
  readonly failed: string | null;
  retry(): void;
}

/**
 * @param state.more there are messages to load
 * @param state.at the message at this end; a new one looks again whether the end is still near
 */
export function useMore(
  box: RefObject<HTMLDivElement | null>,
  load: () => Promise<unknown>,
  state: { readonly more: boolean; readonly at: string | undefined },
): More {
  const edge = useRef<HTMLDivElement>(null);
  const [loading, setLoading] = useState(false);
  const [failed, setFailed] = useState<AppError | null>(null);
  const { more, at } = state;

  useEffect(() => {
    const element = edge.current;
    if (element === null || !more || loading || failed !== null) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting !== true) return;
        observer.disconnect();
        setLoading(true);
        load()
          .catch((error: unknown) => setFailed(AppError.from(error)))
          .finally(() => setLoading(false));
      },
      { root: box.current, rootMargin: AHEAD },
    );
    observer.observe(element);
    return () => observer.disconnect();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a new message at the end looks again whether the end is near
  }, [load, box, more, at, loading, failed]);

  const retry = (): void => setFailed(null);
  return { edge, loading, failed: failed && errorText(failed), retry };
}
