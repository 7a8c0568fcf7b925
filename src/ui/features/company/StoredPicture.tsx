/** A picture of the company's files. The core reads it, since it needs a token. */
import { IconHome } from "@arco-design/web-react/icon";
import { useEffect, useState } from "react";
import { useCore } from "../../state/services.ts";

/** @param props.fileName empty: a sign stands in its place */
export function StoredPicture(props: { readonly fileName: string; readonly alt: string }) {
  const { fileName } = props;
  const core = useCore();
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (fileName === "") return undefined;
    let made: string | null = null;
    let over = false;
    core.commands.files.read({ fileName }).then(
      (blob) => {
        if (over) return;
        made = URL.createObjectURL(blob);
        setAddress(made);
      },
      // the sign stays
      () => undefined,
    );
    return () => {
      over = true;
      if (made !== null) URL.revokeObjectURL(made);
      setAddress(null);
    };
  }, [core, fileName]);
  return (
    <span className="company-profile-logo">
      {address === null ? <IconHome aria-hidden="true" /> : <img src={address} alt={props.alt} />}
    </span>
  );
}
