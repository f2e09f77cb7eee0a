import "../layers";
import { cleanup, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clearToasts, Toasts } from "../../src/design/toast";
import { EnvironmentsSection } from "../../src/settings/environments";
import { repositories } from "../../src/shell/workspace";
import { environments, environmentsProblem } from "../../src/targets/environments";
import { environment, repository } from "../build";
import { Refusal, Server } from "../http";

const SHOP = environment("Shop", ["api", "web"]);
const AT = `PUT /environments/${SHOP.id}`;

let server: Server;

beforeEach(() => {
  environments.value = null;
  environmentsProblem.value = null;
  repositories.value = [repository("api"), repository("web")];
  server = new Server().on("GET /environments", () => ({ environments: [SHOP] }));
});

afterEach(() => {
  cleanup();
  clearToasts();
});

function show(): void {
  render(
    <>
      <EnvironmentsSection />
      <Toasts />
    </>,
  );
}

async function edit(name: string): Promise<void> {
  fireEvent.click(await screen.findByRole("button", { name: "Edit Shop" }));
  fireEvent.input(screen.getByRole("textbox", { name: "Name" }), { target: { value: name } });
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
}

test("a list that can't be loaded says why, and is there when somebody asks again", async () => {
  server.on("GET /environments", () => {
    throw new Refusal(503, "unavailable");
  });
  show();

  await screen.findByText("Environments could not be loaded");
  server.on("GET /environments", () => ({ environments: [] }));
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));

  await screen.findByText("There is no environment yet");
});

test("an environment is changed as a whole, against the version that was read", async () => {
  server.on(AT, () => ({ ...SHOP, name: "Store", version: "2" }));
  show();
  fireEvent.click(await screen.findByRole("button", { name: "Edit Shop" }));

  fireEvent.click(screen.getByRole("button", { name: "Move acme/api down" }));
  fireEvent.input(screen.getByRole("textbox", { name: "Name" }), { target: { value: " Store " } });
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("Saved “Store”");

  expect(server.bodies(AT)).toEqual([
    {
      version: "1",
      name: "Store",
      description: "",
      repositories: ["web", "api"].map((name) => {
        return { url: repository(name).url, branch: null, label: "" };
      }),
    },
  ]);
});

test("a name that is taken is refused at the name", async () => {
  server
    .on(AT, () => {
      throw new Refusal(409, "conflict");
    })
    .on(`GET /environments/${SHOP.id}`, () => SHOP);
  show();

  await edit("Tools");
  await screen.findByText("Refused.");

  const field = screen.getByRole("textbox", { name: "Name" });
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect((field as HTMLInputElement).value).toBe("Tools");
});

test("what somebody else has changed meanwhile is shown, and not written over", async () => {
  server
    .on(AT, () => {
      throw new Refusal(409, "conflict");
    })
    .on(`GET /environments/${SHOP.id}`, () => ({ ...SHOP, name: "Their shop", version: "2" }));
  show();

  await edit("Tools");
  await screen.findByText("Somebody else has changed it meanwhile. Here it is.");

  const field = screen.getByRole("textbox", { name: "Name" }) as HTMLInputElement;
  expect(field.value).toBe("Their shop");
});

test("one that is refused is asked for again under the same id, another content under another", async () => {
  server.on("POST /environments", () => {
    throw new Refusal(503, "unavailable");
  });
  environments.value = [];
  show();
  fireEvent.click(screen.getByRole("button", { name: "New environment" }));
  fireEvent.click(screen.getByRole("button", { name: /Choose a repository/ }));
  fireEvent.click(screen.getByRole("option", { name: /acme\/api/ }));

  for (const name of ["Shop", "Shop", "Tools"]) {
    const times = server.times("POST /environments");
    const create = screen.getByRole("button", { name: "Create" }) as HTMLButtonElement;
    fireEvent.input(screen.getByRole("textbox", { name: "Name" }), { target: { value: name } });
    fireEvent.click(create);
    await vi.waitUntil(() => server.times("POST /environments") > times && !create.disabled);
  }

  const ids = server.bodies("POST /environments").map((body) => Object(body).requestId);
  expect(ids).toHaveLength(3);
  expect([ids[0] === ids[1], ids[1] === ids[2]]).toEqual([true, false]);
});
