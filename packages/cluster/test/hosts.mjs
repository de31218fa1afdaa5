/* Hosts of their own on this machine: network namespaces with a bridge between them. For the superuser of Linux. */
import { spawnSync } from "node:child_process";

const NETWORK = "10.77.0";

function ip(...words) {
  const { status, stderr } = spawnSync("ip", words);
  if (status !== 0) throw new Error(`ip ${words.join(" ")}: ${stderr}`);
}

/**
 * Makes a number of hosts. Each has an address and what its commands begin with. `cut` takes its cable out, and
 * `join` puts it back.
 */
export function makeHosts(count) {
  const id = `aw${process.pid % 10_000}`;
  const bridge = `${id}br`;
  const hub = `${id}hub`;
  ip("netns", "add", hub);
  const made = [hub];
  const inHub = (...words) => ip("-n", hub, ...words);
  inHub("link", "add", bridge, "type", "bridge");
  inHub("link", "set", bridge, "up");
  const hosts = Array.from({ length: count }, (_, k) => {
    const name = `${id}h${k}`;
    const port = `${id}p${k}`;
    const address = `${NETWORK}.${k + 1}`;
    ip("netns", "add", name);
    made.push(name);
    ip("-n", name, "link", "add", "eth0", "type", "veth", "peer", "name", port, "netns", hub);
    ip("-n", name, "address", "add", `${address}/24`, "dev", "eth0");
    for (const device of ["lo", "eth0"]) ip("-n", name, "link", "set", device, "up");
    inHub("link", "set", port, "master", bridge);
    inHub("link", "set", port, "up");
    return {
      address,
      command: ["ip", "netns", "exec", name],
      cut: () => inHub("link", "set", port, "down"),
      join: () => inHub("link", "set", port, "up"),
    };
  });
  return {
    hosts,
    network: `${NETWORK}.0/24`,
    remove: () => made.forEach((name) => void ip("netns", "delete", name)),
  };
}
