/** Which page is shown: the one place that knows all of them. */
export function App() {
  return <main class="app">Outboard</main>;
}
