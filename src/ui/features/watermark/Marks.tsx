/** The watermark of a person, kept over the page (docs/session.md#watermark). */
import { useLayoutEffect } from "react";
import { formatDate } from "../../../shared/domain/format.ts";
import { displayName } from "../../state/person.ts";
import { useServerNow, useSlice } from "../../state/services.ts";
import { watermarkImage, watermarkPerson } from "./picture.ts";
import "./watermark.css";

/** ms between two looks at the date. */
const DATE_MS = 60_000;

export function Marks() {
  const session = useSlice("session");
  const now = useServerNow(DATE_MS);
  const { employee, username } = session;
  const person = watermarkPerson({
    name: displayName(session),
    phone: employee?.phone ?? null,
    username,
  });
  const image = watermarkImage(person, formatDate(now, "{y}-{m}-{d}"));
  useLayoutEffect(() => keepOnPage(image), [image]);
  return null;
}

/** Puts the watermark over the page, and restores it when it is removed or changed. @returns a function that ends this */
function keepOnPage(image: string): () => void {
  let mark = createMark(image);
  const observer = new MutationObserver((changes) => {
    if (mark.parentNode !== document.body || changes.some(({ target }) => target === mark)) put();
  });
  function put(): void {
    observer.disconnect();
    mark.remove();
    mark = createMark(image);
    document.body.append(mark);
    observer.observe(document.body, { childList: true });
    observer.observe(mark, { attributes: true, childList: true });
  }
  put();
  return () => {
    observer.disconnect();
    mark.remove();
  };
}

function createMark(image: string): HTMLElement {
  const mark = document.createElement("div");
  mark.className = "watermark";
  mark.setAttribute("aria-hidden", "true");
  mark.style.backgroundImage = image;
  return mark;
}
