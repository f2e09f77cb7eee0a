/** Accounts at providers: signing in by way of one, and connecting one. */

import type {
  AccountDeparture,
  AccountList,
  AccountView,
  NewAccount,
  ProviderList,
} from "../protocol";
import { get, post, put, remove } from "./request";

export function signInProviders(): Promise<ProviderList> {
  return get("/sign-in/providers");
}

export function accounts(signal?: AbortSignal): Promise<AccountList> {
  return get("/accounts", { signal });
}

/** Where the browser has to go now. */
export function departToConnect(provider: string): Promise<AccountDeparture> {
  return post(`/accounts/${provider}`);
}

export function connectAccount(provider: string, came: NewAccount): Promise<AccountView> {
  return put(`/accounts/${provider}`, came);
}

export function disconnectAccount(provider: string): Promise<void> {
  return remove(`/accounts/${provider}`);
}
