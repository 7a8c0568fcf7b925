/** The picture of a group, in place of a person's. */
import { IconUserGroup } from "@arco-design/web-react/icon";
import "./groups.css";

export const GroupAvatar = ({ size = 36 }: { readonly size?: number }) => (
  <span className="group-avatar" style={{ width: size, height: size }} aria-hidden="true">
    <IconUserGroup />
  </span>
);
