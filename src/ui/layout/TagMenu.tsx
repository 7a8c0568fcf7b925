/** The context menu of a tag. */
import { useTranslation } from "react-i18next";
import { mayAct, TAG_ACTIONS, type Tag, type TagAction } from "../../shared/domain/tags.ts";
import { ContextMenu, type MenuPoint } from "../components/ContextMenu.tsx";

export interface TagMenuAt extends MenuPoint {
  readonly path: string;
}

export function TagMenu(props: {
  readonly at: TagMenuAt;
  readonly tags: readonly Tag[];
  readonly onAct: (action: TagAction, path: string) => void;
  /** @param refocus closed by keyboard: the tag must get the focus back */
  readonly onClose: (refocus: boolean) => void;
}) {
  const { at, tags, onAct, onClose } = props;
  const { t } = useTranslation();
  const fixed = tags.find((tag) => tag.path === at.path)?.affix === true;
  return (
    <ContextMenu at={at} label={t("tags.menu")} onClose={onClose}>
      {TAG_ACTIONS.filter((action) => action !== "close" || !fixed).map((action) => (
        <button
          key={action}
          type="button"
          role="menuitem"
          tabIndex={-1}
          disabled={!mayAct(tags, action, at.path)}
          onClick={() => {
            onClose(true);
            onAct(action, at.path);
          }}
        >
          {t(`tags.${action}`)}
        </button>
      ))}
    </ContextMenu>
  );
}
