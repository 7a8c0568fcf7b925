/** A tree of checkboxes with a search. */
import { Button, Checkbox, Input } from "@arco-design/web-react";
import "@arco-design/web-react/es/Checkbox/style/css.js";
import { IconDown, IconRight, IconSearch } from "@arco-design/web-react/icon";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useTexts } from "../../i18n/texts.ts";
import {
  allToggled,
  type CheckNode,
  countBelow,
  idsOf,
  matching,
  nodesById,
  pagesOf,
  stateOf,
  toggled,
  turnsOn,
} from "./check-tree.ts";
import { NothingFound } from "../../components/NothingFound.tsx";
import { ROLE_TEXTS } from "./texts.ts";

interface TreeProps {
  readonly label: string;
  readonly tree: readonly CheckNode[];
  readonly checked: ReadonlySet<string>;
  readonly disabled?: boolean;
  readonly onChange: (checked: ReadonlySet<string>) => void;
}

export function CheckTree({ label, tree, checked, disabled = false, onChange }: TreeProps) {
  const { t } = useTranslation();
  const text = useTexts(ROLE_TEXTS);
  const [word, setWord] = useState("");
  // The containers are open, so that one sees every page, and the way through them by keys is short.
  const [folded, setFolded] = useState<ReadonlySet<string>>(() => new Set(pagesOf(tree)));
  const shown = matching(tree, word);
  const searching = word.trim() !== "";
  const whole = useMemo(() => nodesById(tree), [tree]);
  const fold = (id: string): void => {
    const next = new Set(folded);
    if (!next.delete(id)) next.add(id);
    setFolded(next);
  };
  return (
    <div className="check-tree">
      <div className="check-tree-tools">
        <Input
          allowClear
          prefix={<IconSearch aria-hidden="true" />}
          placeholder={text("searchTree")}
          aria-label={text("searchTree")}
          value={word}
          onChange={setWord}
        />
        <Button size="small" onClick={() => setFolded(new Set())}>
          {text("expandAll")}
        </Button>
        <Button size="small" onClick={() => setFolded(new Set(idsOf(tree)))}>
          {text("foldAll")}
        </Button>
        <Button
          size="small"
          disabled={disabled}
          onClick={() => onChange(allToggled(tree, checked, true, shown))}
        >
          {text("selectAll")}
        </Button>
        <Button
          size="small"
          disabled={disabled}
          onClick={() => onChange(allToggled(tree, checked, false, shown))}
        >
          {text("selectNone")}
        </Button>
      </div>
      <div className="check-tree-box" tabIndex={0} role="group" aria-label={label}>
        {shown.length === 0 &&
          (word.trim() === "" ? (
            <p className="check-tree-none">{t("common.none")}</p>
          ) : (
            <NothingFound onClear={() => setWord("")} />
          ))}
        <Branch
          label={label}
          nodes={shown}
          checked={checked}
          disabled={disabled}
          isOpen={(id) => searching || !folded.has(id)}
          onFold={fold}
          wholeOf={(node) => whole.get(node.id) ?? node}
          onToggle={(node) =>
            onChange(toggled(tree, checked, node.id, turnsOn(node, checked), shown))
          }
        />
      </div>
    </div>
  );
}

interface BranchProps {
  /** What the nodes stand below. */
  readonly label: string;
  readonly nodes: readonly CheckNode[];
  readonly checked: ReadonlySet<string>;
  readonly disabled: boolean;
  readonly isOpen: (id: string) => boolean;
  readonly onFold: (id: string) => void;
  /** The node with everything below it: its state concerns what a search hides too. */
  readonly wholeOf: (node: CheckNode) => CheckNode;
  readonly onToggle: (node: CheckNode) => void;
}

/** The library's box shows that something is chosen below it by a mark alone; this tells the browser, and so a screen reader. */
const markPart = (row: HTMLElement | null, part: boolean): void => {
  const box = row?.querySelector("input");
  if (box !== null && box !== undefined) box.indeterminate = part;
};

function Branch({ label, nodes, ...rest }: BranchProps) {
  const text = useTexts(ROLE_TEXTS);
  const { checked, isOpen, onFold, wholeOf, onToggle } = rest;
  return (
    <ul aria-label={label}>
      {nodes.map((node) => {
        const { id, title, note, locked, page, children } = node;
        const state = stateOf(wholeOf(node), checked);
        const open = isOpen(id);
        return (
          <li key={id}>
            <div className="check-tree-row" ref={(row) => markPart(row, state === "some")}>
              {children.length > 0 ? (
                <button
                  type="button"
                  className="check-tree-fold"
                  aria-expanded={open}
                  aria-label={text("below", { name: title })}
                  onClick={() => onFold(id)}
                >
                  {open ? <IconDown aria-hidden="true" /> : <IconRight aria-hidden="true" />}
                </button>
              ) : (
                <span className="check-tree-fold" />
              )}
              <Checkbox
                checked={children.length > 0 ? state === "all" : checked.has(id)}
                indeterminate={state === "some"}
                disabled={rest.disabled || locked === true}
                onChange={() => onToggle(node)}
              >
                {title}
              </Checkbox>
              {note !== undefined && <span className="check-tree-note">{note}</span>}
              {page === true && children.length > 0 && (
                <span className="check-tree-note tnum">
                  {text("chosenBelow", countBelow(wholeOf(node), checked))}
                </span>
              )}
              {/* half a mark would say the same of a page that is chosen without some of its permissions */}
              {page === true && state === "some" && !checked.has(id) && (
                <span className="check-tree-note">{text("menuOff")}</span>
              )}
            </div>
            {open && children.length > 0 && <Branch label={title} nodes={children} {...rest} />}
          </li>
        );
      })}
    </ul>
  );
}
