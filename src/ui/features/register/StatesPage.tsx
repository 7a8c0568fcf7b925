/**
 * What became of an application, by the mobile number of it and a code (docs/session.md#registration), at /nextPage?states: also in another
 * browser, and for who cannot log in.
 */
import { Button } from "@arco-design/web-react";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { formatDate } from "../../../shared/domain/format.ts";
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import { LOGIN_PATH } from "../../../shared/domain/guard.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { useTitle } from "../../state/title.ts";
import { PlainPage } from "../fallback/PlainPage.tsx";
import { useSmsSender } from "../sms/useSmsSender.ts";
import { ApplyTag, useApplyHint } from "./ApplyState.tsx";
import { CodeForm } from "./CodeForm.tsx";
import { EMPTY, STATE_FIELDS } from "./fields.ts";
import { SmsMissing } from "./SmsMissing.tsx";
import { REGISTER_TEXTS } from "./texts.ts";

type Found = PageCallData<"registration.states">;

export function StatesPage() {
  const text = useTexts(REGISTER_TEXTS);
  const { rest } = useCore().commands;
  const [values, setValues] = useState(EMPTY);
  const [requestKey, setRequestKey] = useState<string | undefined>();
  const [found, setFound] = useState<Found | null>(null);
  const sends = useSmsSender();
  if (found !== null) {
    const again = (): void => {
      setValues(EMPTY);
      setFound(null);
    };
    return <States found={found} onAgain={again} />;
  }
  if (sends === false) return <SmsMissing what="states" />;
  return (
    <CodeForm
      title={text("statesTitle")}
      subtitle={text("statesSubtitle")}
      fields={STATE_FIELDS}
      submitText={text("statesSubmit")}
      loginText={text("resetBack")}
      values={values}
      onChange={setValues}
      onAsked={setRequestKey}
      save={async ({ mobile, smsCode }) => {
        const body = {
          mobile: mobile.trim(),
          smsCode: smsCode.trim(),
          ...(requestKey === undefined ? {} : { requestKey }),
        };
        setFound(await rest.call({ call: "registration.states", body }));
      }}
    />
  );
}

function States({ found, onAgain }: { readonly found: Found; readonly onAgain: () => void }) {
  const text = useTexts(REGISTER_TEXTS);
  const hintOf = useApplyHint();
  const navigate = useNavigate();
  useTitle(text("statesTitle"));
  const isRefused = found.some(({ kind, status }) => kind === "company" && status === "refused");
  return (
    <PlainPage
      icon="building"
      title={text("statesTitle")}
      hint={found.length === 0 ? text("statesNone") : ""}
    >
      <div role="status">
        <ul className="next-applies">
          {found.map((apply) => (
            <li
              key={`${apply.kind} ${apply.createTime} ${apply.supplierName}`}
              className="next-apply"
            >
              <ApplyTag status={apply.status} />
              <p>{hintOf(apply)}</p>
              <p className="tnum">
                {text("appliedAt")} {formatDate(Date.parse(apply.createTime))}
              </p>
            </li>
          ))}
        </ul>
      </div>
      {isRefused && <p>{text("statesFound")}</p>}
      <Button type="primary" onClick={() => void navigate(LOGIN_PATH)}>
        {text("nextLogin")}
      </Button>
      <Button onClick={onAgain}>{text("statesOther")}</Button>
    </PlainPage>
  );
}
