/**
 * The registration of a company (docs/session.md#registration) in two steps: /register takes the company, /nextPage its administrator and
 * a code by SMS. One component for both, so that passwords survive the way back; the rest survives a reload too. A person who is logged in
 * sees at /nextPage the own applications, and everybody at /nextPage?states those of a mobile number.
 */
import { Button } from "@arco-design/web-react";
import { useEffect, useState } from "react";
import { Link, matchPath, Navigate, useLocation, useNavigate } from "react-router-dom";
import { AppError } from "../../../shared/errors.ts";
import { errorText } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore, useSlice } from "../../state/services.ts";
import { useTitle } from "../../state/title.ts";
import { PlainPage } from "../fallback/PlainPage.tsx";
import { useSmsSender } from "../sms/useSmsSender.ts";
import { CodeForm, type Errors } from "./CodeForm.tsx";
import { dropDraft, keepDraft, NO_DRAFT, readDraft, type RegistrationDraft } from "./draft.ts";
import { ADMIN_FIELDS, checkRegistration, COMPANY_FIELDS, registrationOf } from "./fields.ts";
import { LicenceField } from "./LicenceField.tsx";
import { OwnApplies } from "./OwnApplies.tsx";
import { refusedNames } from "./refused.ts";
import { SmsMissing } from "./SmsMissing.tsx";
import { StatesPage } from "./StatesPage.tsx";
import { REGISTER_TEXTS } from "./texts.ts";
import "./register.css";

const FIRST = "/register";
const SECOND = "/nextPage";
/** Query of /nextPage that asks what became of an application: without a token there are four paths (docs/session.md#guard). */
const STATES = "states";
/** What the history remembers of a place: the second step of this registration, or its end. */
type Place = "step" | "done" | null;

const placeOf = (state: unknown): Place => (state === "step" || state === "done" ? state : null);

/** Fields of the first step, among them the picture, that the server refused at the second. */
const AT_FIRST = [...COMPANY_FIELDS.map(({ key }) => key), "licence"] as const;

export function Registration() {
  const { pathname, state, search } = useLocation();
  const { status } = useSlice("session");
  const { rest } = useCore().commands;
  const text = useTexts(REGISTER_TEXTS);
  const navigate = useNavigate();
  const [draft, setDraft] = useState(() => readDraft(Date.now()));
  const [refused, setRefused] = useState<Errors & { readonly licence?: () => string }>({});
  /** The company is registered. The router follows a moment later. */
  const [sent, setSent] = useState(false);
  const sends = useSmsSender();
  const place = placeOf(state);
  // By what the draft is then: an answer of the server comes while the person types.
  const change = (part: Partial<RegistrationDraft>): void =>
    setDraft((now) => ({ ...now, ...part }));
  const { values, licence, requestKey } = draft;
  const second = matchPath(SECOND, pathname) !== null;
  useEffect(() => {
    if (draft === NO_DRAFT) dropDraft();
    else keepDraft(draft);
  }, [draft]);
  if (second && new URLSearchParams(search).has(STATES)) return <StatesPage />;
  if (second && (sent || place === "done")) return <Done />;
  if (second && status === "authenticated" && place === null) return <OwnApplies />;
  if (sends === false) return <SmsMissing what="register" />;
  if (second && Object.keys(checkRegistration(values, COMPANY_FIELDS)).length > 0) {
    return <Navigate to={FIRST} replace />;
  }
  const form = {
    title: text("title"),
    values,
    kept: true,
    loginText: text("toLogin"),
    onChange: (next: typeof values) => change({ values: next }),
  };
  if (!second) {
    return (
      <CodeForm
        key="company"
        {...form}
        subtitle={text("companySubtitle")}
        link={<Link to={`${SECOND}?${STATES}`}>{text("statesLink")}</Link>}
        above={<Steps now={1} />}
        fields={COMPANY_FIELDS}
        submitText={text("next")}
        refused={refused}
        focus={place === "step"}
        save={() => {
          setRefused({});
          setSent(false);
          void navigate(SECOND, { state: "step" satisfies Place });
        }}
      >
        <LicenceField
          value={licence}
          error={refused.licence?.()}
          onChange={(next) => {
            setRefused(({ licence: _gone, ...others }) => others);
            change({ licence: next });
          }}
        />
      </CodeForm>
    );
  }
  const toFirst = (): void => void navigate(FIRST, { state: "step" satisfies Place });
  return (
    <CodeForm
      key="administrator"
      {...form}
      subtitle={text("subtitle")}
      above={<Steps now={2} />}
      fields={ADMIN_FIELDS}
      submitText={text("submit")}
      focus
      onAsked={(key) => change({ requestKey: key })}
      back={
        <Button size="large" onClick={toFirst}>
          {text("back")}
        </Button>
      }
      save={async (given) => {
        const body = {
          ...registrationOf(given),
          ...(licence === null ? {} : { licence: licence.licence }),
          ...(requestKey === undefined ? {} : { requestKey }),
        };
        try {
          await rest.call({ call: "registration.create", body });
        } catch (error) {
          const known = AppError.from(error);
          const field = AT_FIRST.find((name) => refusedNames(known).includes(name));
          if (field === undefined) throw error;
          if (field === "licence") change({ licence: null });
          setRefused({ [field]: () => errorText(known) });
          toFirst();
          return;
        }
        setDraft(NO_DRAFT);
        setSent(true);
        void navigate(SECOND, { replace: true, state: "done" satisfies Place });
      }}
    />
  );
}

function Steps({ now }: { readonly now: 1 | 2 }) {
  const text = useTexts(REGISTER_TEXTS);
  return (
    <ol className="register-steps" aria-label={text("steps")}>
      {([1, 2] as const).map((step) => (
        <li key={step} {...(step === now ? { "aria-current": "step" } : {})}>
          <span aria-hidden="true">{step}</span> {text(step === 1 ? "stepCompany" : "stepAdmin")}
        </li>
      ))}
    </ol>
  );
}

function Done() {
  const text = useTexts(REGISTER_TEXTS);
  const navigate = useNavigate();
  useTitle(text("nextTitle"));
  return (
    <PlainPage icon="building" title={text("nextTitle")} hint={text("nextHint")}>
      <p>{text("nextLater")}</p>
      <Button type="primary" onClick={() => void navigate("/login")}>
        {text("nextLogin")}
      </Button>
      <Button onClick={() => void navigate(`${SECOND}?${STATES}`)}>{text("statesLink")}</Button>
    </PlainPage>
  );
}
