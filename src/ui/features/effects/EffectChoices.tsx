/** Switches for what changes the own picture and sound, where the browser can change them. */
import { Switch } from "@arco-design/web-react";
import { useCallback, useSyncExternalStore } from "react";
import type { EffectKind } from "../../../shared/protocol/effects-worker.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useServices } from "../../state/services.ts";
import { EFFECT_TEXTS } from "./texts.ts";
import "./effects.css";

const KINDS: readonly EffectKind[] = ["background", "noise"];

export function EffectChoices() {
  const text = useTexts(EFFECT_TEXTS);
  const { media } = useServices();
  const { wanted, states } = useSyncExternalStore(
    useCallback((handler: () => void) => media.subscribe(handler), [media]),
    () => media.effects(),
  );
  const shown = KINDS.filter((kind) => states[kind] !== "absent");
  if (shown.length === 0) return <p className="effect-state">{text("absent")}</p>;
  return (
    <>
      {shown.map((kind) => {
        const state = states[kind];
        return (
          <div key={kind} className="effect-choice">
            <span aria-hidden="true">{text(kind)}</span>
            <Switch
              aria-label={text(kind)}
              checked={wanted[kind]}
              onChange={(on) => media.wantEffects({ ...wanted, [kind]: on })}
            />
            <span className="effect-state" role="status" data-effect={kind} data-state={state}>
              {state !== "off" && state !== "absent" && text(state)}
            </span>
          </div>
        );
      })}
    </>
  );
}
