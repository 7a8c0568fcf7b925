/** Switch for the size of the interface. Loaded after the frame, which keeps its place. */
import { Button, Dropdown, Menu } from "@arco-design/web-react";
import { IconCheck, IconZoomIn } from "@arco-design/web-react/icon";
import { useTranslation } from "react-i18next";
import { useSize } from "../state/services.ts";
import { SIZES } from "../state/size.ts";

export default function SizeSwitch() {
  const { t } = useTranslation();
  const [size, setSize] = useSize();
  return (
    <Dropdown
      trigger="click"
      position="br"
      droplist={
        <Menu
          onClickMenuItem={(key) => {
            const chosen = SIZES.find((one) => one === key);
            if (chosen !== undefined) setSize(chosen);
          }}
        >
          {SIZES.map((one) => (
            <Menu.Item key={one}>
              <span className="menu-line">
                {t(`sizes.${one}`)}
                {one === size && <IconCheck aria-label={t("dashboard.current")} />}
              </span>
            </Menu.Item>
          ))}
        </Menu>
      }
    >
      <Button
        type="text"
        className="header-icon header-size"
        aria-label={t("layout.size")}
        icon={<IconZoomIn />}
      />
    </Dropdown>
  );
}
