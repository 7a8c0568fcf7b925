/** Those who are rung and not inside, with what became of their ring. */
import { IconPhone } from "@arco-design/web-react/icon";
import { rungPeople } from "../../../shared/protocol/group-call.ts";
import { Avatar } from "../../components/Avatar.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useFrozenSlice, useServerNow } from "../../state/services.ts";
import { GROUP_CALL_TEXTS } from "./texts.ts";
import type { GroupCallActions } from "./useGroupCall.ts";

export function RungStrip({ actions }: { readonly actions: GroupCallActions }) {
  const text = useTexts(GROUP_CALL_TEXTS);
  const { attrs, members } = useFrozenSlice("conference");
  const now = useServerNow(5000);
  const inside = new Set(Object.values(members).map(({ memName }) => memName));
  const people = rungPeople(attrs, inside, now);
  if (people.length === 0) return null;
  return (
    // Many people scroll sideways, by the keyboard too.
    <ul className="gcall-rung" aria-label={text("rung")} aria-live="polite" tabIndex={0}>
      {people.map(({ userName, name, state }) => {
        const waits = state === "invited" || state === "ringing";
        return (
          <li key={userName} data-state={state} data-person={userName}>
            <Avatar name={name} size={32} />
            <span>
              <strong className="ellipsis" translate="no">
                {name}
              </strong>
              <small>{text(state)}</small>
            </span>
            {!waits && (
              <button
                type="button"
                aria-label={text("again", { name })}
                title={text("again", { name })}
                disabled={actions.busy.has(`again:${userName}`)}
                onClick={() => actions.again(userName)}
              >
                <IconPhone aria-hidden="true" />
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
