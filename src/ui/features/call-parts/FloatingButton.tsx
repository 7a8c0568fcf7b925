/** The button that lets the call float above other programs, and what stands in the page meanwhile. */
import { Button } from "@arco-design/web-react";
import { PictureInPictureIcon } from "../../components/call-icons.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useFloating } from "./floating-context.ts";
import { FLOATING_TEXTS } from "./floating-texts.ts";
import { RoundButton } from "./RoundButton.tsx";

/** Nothing in a browser that cannot float. @param props.video what floats in a browser that floats only videos */
export function FloatingButton(props: { readonly video: () => HTMLVideoElement | null }) {
  const text = useTexts(FLOATING_TEXTS);
  const floating = useFloating();
  if (floating.kind === null) return null;
  return (
    <RoundButton
      small
      tone={floating.on ? "on" : "plain"}
      label={text(floating.on ? "close" : "open")}
      onClick={() => floating.toggle(props.video())}
    >
      <PictureInPictureIcon />
    </RoundButton>
  );
}

export function FloatingAway() {
  const text = useTexts(FLOATING_TEXTS);
  const floating = useFloating();
  return (
    <div className="call-elsewhere">
      <p role="status">{text("away")}</p>
      <Button type="primary" size="large" onClick={floating.close}>
        {text("close")}
      </Button>
    </div>
  );
}
