/** Asks for the control of the large shared screen, says how it stands, and releases it. */
import { useTranslation } from "react-i18next";
import { useSlice } from "../../state/services.ts";
import { useControl } from "./useControl.ts";
import "./control.css";

export function ControlTool({ streamId }: { readonly streamId: string }) {
  const { t } = useTranslation();
  const { control, streams } = useSlice("conference");
  const actions = useControl();
  const { state, of } = control.own;
  const here = of?.streamId === streamId ? state : "idle";
  const name = of?.nickName ?? "";
  return (
    <div className="conference-control" data-state={here}>
      <span role="status" className="ellipsis">
        {here !== "idle" && t(`conference.control.${here}`, { name })}
      </span>
      {here === "idle" ? (
        <button
          type="button"
          disabled={streams[streamId]?.video !== true}
          onClick={() => actions.ask(streamId)}
        >
          {t("conference.control.ask")}
        </button>
      ) : (
        <button type="button" onClick={actions.release}>
          {t(`conference.control.${here === "asking" ? "cancel" : "release"}`)}
        </button>
      )}
    </div>
  );
}
