/** Links and pictures of an answer: what leads elsewhere, and says where. */

import { createContext, type ReactNode, use } from "react";
import { linkTarget, shownAddress, unexpectedHost } from "./links";
import { words } from "./texts";
import { visibleControls } from "./visible";

/** There are no links in links. */
export const WithinLink = createContext(false);

interface LinkProps {
  address: string;
  text: string;
  children: ReactNode;
}

export function Link({ address, text, children }: LinkProps) {
  const target = linkTarget(address);
  if (use(WithinLink)) return children;
  if (!target) {
    return (
      <>
        {children}
        {address !== "" && address !== text && (
          <>
            {" "}
            <code className="md-address" dir="ltr">
              {shownAddress(address)}
            </code>
          </>
        )}
      </>
    );
  }
  const host = unexpectedHost(text, target);
  return (
    <>
      <a
        href={target.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        title={shownAddress(target.href)}
      >
        <WithinLink value={true}>{children}</WithinLink>
      </a>
      {host && (
        <>
          {" "}
          <span className="md-host" dir="ltr">
            ({shownAddress(host)})
          </span>
        </>
      )}
    </>
  );
}

function PictureMark() {
  return (
    <svg className="md-picture" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path
        d="M2 2.5h12v11H2zM2 11l3.5-3.5 3 3 2-2L14 12"
        fill="none"
        stroke="currentcolor"
        strokeWidth="1.4"
      />
      <circle cx="10.5" cy="5.5" r="1.2" fill="currentcolor" />
    </svg>
  );
}

/** Never loaded: it would tell another host that the answer is read. */
export function Image({ address, alt }: { address: string; alt: string }) {
  const say = words.use();
  const text = visibleControls(alt) || say.image;
  return (
    <Link address={address} text={text}>
      <PictureMark />
      {text}
    </Link>
  );
}
