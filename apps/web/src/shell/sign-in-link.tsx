import buttons from '../ui/button.module.css'

/** Signs in, and comes back to exactly here. What is typed is kept as the page goes. */
export function SignInLink() {
  const next = location.pathname + location.search + location.hash
  return (
    <a
      className={`${buttons['button']} ${buttons['first']}`}
      href={`/signin?${new URLSearchParams({ next }).toString()}`}
    >
      Sign in
    </a>
  )
}
