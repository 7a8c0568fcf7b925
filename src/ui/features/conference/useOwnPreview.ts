/** The own devices while the green room is open; they close with it. */
import { useEffect, useState } from "react";
import type { Preview, PreviewView, PreviewWish } from "../../../rtc-main/index.ts";
import { useServices } from "../../state/services.ts";

const CLOSED: PreviewView = { picture: null, states: { audio: "off", video: "off" } };

export function useOwnPreview(wish: PreviewWish): {
  readonly view: PreviewView;
  readonly preview: Preview | null;
} {
  const { media } = useServices();
  const [view, setView] = useState(CLOSED);
  const [preview, setPreview] = useState<Preview | null>(null);
  // Opened once; later wishes are passed on below.
  const [first] = useState(wish);
  useEffect(() => {
    let over = false;
    let preview: Preview | null = null;
    media
      .preview(first, (next) => over || setView(next))
      .then(
        (made) => {
          if (over) return made.close();
          preview = made;
          setPreview(made);
        },
        // The conference can be joined without a preview.
        () => undefined,
      );
    return () => {
      over = true;
      preview?.close();
    };
  }, [media, first]);
  useEffect(() => preview?.want(wish), [preview, wish]);
  return { view, preview };
}
