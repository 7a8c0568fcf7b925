/** What to do about a rule: what to look at, with links to those pages that the person has, and what to do then. */
import { Link } from "react-router-dom";
import { alertRuleMeaning } from "../../../shared/domain/alert-texts.ts";
import { useTexts } from "../../i18n/texts.ts";
import { findRoute, useMenus } from "../../state/menus.ts";
import type { GuideLine, Place } from "./guide-lines.ts";
import { guideOf } from "./guides.ts";
import { type Around, pathOf, placeAddress } from "./places.ts";
import { DETAIL_TEXTS, PLACE_TEXTS } from "./texts.ts";
import { useAlertWords } from "./words.ts";
import "./alerts.css";

/** A link to a page, or nothing for a person without it. */
function PlaceLink({ place, around }: { readonly place: Place; readonly around: Around }) {
  const text = useTexts(PLACE_TEXTS);
  const menus = useMenus();
  if (findRoute(menus, pathOf(place)) === undefined) return null;
  return (
    <Link className="alert-place" to={placeAddress(place, around)}>
      {text(place)}
    </Link>
  );
}

export function PlaceLinks(props: {
  readonly places: readonly Place[];
  readonly around: Around;
  readonly title: string;
}) {
  const menus = useMenus();
  const there = props.places.filter((place) => findRoute(menus, pathOf(place)) !== undefined);
  if (there.length === 0) return null;
  return (
    <section aria-label={props.title}>
      <h3>{props.title}</h3>
      <p className="alert-places">
        {there.map((place) => (
          <PlaceLink key={place} place={place} around={props.around} />
        ))}
      </p>
    </section>
  );
}

export function GuideView({ rule, around }: { readonly rule: string; readonly around: Around }) {
  const text = useTexts(DETAIL_TEXTS);
  const { language } = useAlertWords();
  const guide = guideOf(rule);
  const lines = (list: readonly GuideLine[]) => (
    <ol className="alert-steps">
      {list.map(({ words, place }) => (
        <li key={words[0]}>
          {words[language === "zh" ? 0 : 1]}{" "}
          {place !== undefined && <PlaceLink place={place} around={around} />}
        </li>
      ))}
    </ol>
  );
  return (
    <section className="alert-guide" aria-label={text("guide")}>
      <h3>{text("guide")}</h3>
      {guide === null ? (
        <p className="alert-note">{text("noGuide")}</p>
      ) : (
        <>
          <p>{alertRuleMeaning(rule, language)}</p>
          <h4>{text("look")}</h4>
          {lines(guide.look)}
          <h4>{text("act")}</h4>
          {lines(guide.act)}
        </>
      )}
    </section>
  );
}
