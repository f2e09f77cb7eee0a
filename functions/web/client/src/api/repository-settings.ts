/** How pull requests are wanted, and what is said about a repository. */

import type {
  NewRepositoryAbout,
  PullRequestPolicyInEffect,
  PullRequestPolicyView,
  RepositoryAboutView,
} from "../protocol";
import { get, put, remove } from "./request";

const POLICY = "/settings/pull-requests";
const ABOUT = "/repositories/about";

/** Blank: for everything. */
export function pullRequestPolicy(url: string): Promise<PullRequestPolicyInEffect> {
  return url ? get(`${POLICY}/repository`, { query: { url } }) : get(POLICY);
}

export function choosePullRequestPolicy(
  url: string,
  asked: PullRequestPolicyView,
): Promise<PullRequestPolicyInEffect> {
  return url ? put(`${POLICY}/repository`, asked, { query: { url } }) : put(POLICY, asked);
}

export function inheritPullRequestPolicy(url: string): Promise<PullRequestPolicyInEffect> {
  return remove(`${POLICY}/repository`, { query: { url } });
}

export function aboutRepository(url: string): Promise<RepositoryAboutView> {
  return get(ABOUT, { query: { url } });
}

export function sayAboutRepository(
  url: string,
  asked: NewRepositoryAbout,
): Promise<RepositoryAboutView> {
  return put(ABOUT, asked, { query: { url } });
}
