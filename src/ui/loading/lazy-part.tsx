/** Parts of the console that the login does without. Arco's code and most texts load with the first of them. */
import type { ComponentType } from "react";
import { currentLanguage, loadTexts } from "../i18n/index.ts";
import { retrying } from "../state/retrying.ts";
import { lazyAhead, type LazyAhead } from "./lazy-ahead.ts";

/** The part inside of Arco's provider. Both load at once, with their texts. */
export const lazyPart = <P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
): LazyAhead<P> =>
  lazyAhead(async () => {
    const [{ ArcoProvider, english }, { default: Part }] = await Promise.all([
      loadArco(),
      retrying(load),
      retrying(loadTexts),
    ]);
    return {
      default: (props: P) => (
        <ArcoProvider english={english}>
          <Part {...props} />
        </ArcoProvider>
      ),
    };
  });

async function loadArco() {
  const { ArcoProvider, loadEnglish } = await retrying(() => import("./ArcoProvider.tsx"));
  // without the English texts the components still appear, in Chinese
  const english = currentLanguage() === "en" ? await loadEnglish().catch(() => null) : null;
  return { ArcoProvider, english };
}
