import { type Check, isReceived, oneOf, optional, record, string, withMembers } from "../options/index.ts";

/** An end of a channel of Node that messages arrive at: a worker, the parent port of one, or a port. */
export interface MessageSource {
  on(type: "message", listener: (data: unknown) => void): unknown;
  off(type: "message", listener: (data: unknown) => void): unknown;
}

/** Messages of one kind, on channels that other programs may use as well. */
export interface MessageKind<Body> {
  /** Returns a message with the mark of its kind. */
  seal(body: Body): unknown;
  /** Returns the contents of a message; undefined if it is not of this kind. Never throws. */
  open(data: unknown): Body | undefined;
  /** Calls a function with the contents of each message of this kind, until the returned function is called. */
  listen(port: MessageSource, take: (body: Body) => void): () => void;
}

/**
 * Defines a kind of messages. Messages of devtools, of other libraries or of another kind lack its mark, and are
 * ignored; so are those whose contents the check refuses. O(contents that the check looks at) per message.
 *
 * @param name the mark: the channel and the direction
 * @param check accepts the contents
 */
export function messageKind<Body>(name: string, check: Check): MessageKind<Body> {
  const sealed = record<{ readonly arcwise: string; readonly body: unknown }>({
    arcwise: oneOf(name),
    body: check,
  });
  const open = (data: unknown) => (isReceived<{ readonly body: Body }>(sealed, data) ? data.body : undefined);
  return {
    seal: (body) => ({ arcwise: name, body }),
    open,
    listen: (port, take) => {
      const listener = (data: unknown) => {
        const body = open(data);
        if (body !== undefined) take(body);
      };
      port.on("message", listener);
      return () => void port.off("message", listener);
    },
  };
}

/** Accepts errors as `errorToData` returns them. */
export const errorData: Check = (value, at) =>
  record<{ name: string; message: string; stack: string; members: object; cause: object }>({
    name: string,
    message: string,
    stack: optional(string),
    members: withMembers("an object"),
    cause: optional(errorData),
  })(value, at);
