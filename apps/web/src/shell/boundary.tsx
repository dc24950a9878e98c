import { Component, type ReactNode } from 'react'
import { Problem } from './problem.tsx'

interface Props {
  children: ReactNode
  /** Where one goes on: another one tries the page anew. */
  place: string
}

/** A mistake in one page leaves the shell as it is. */
export class Boundary extends Component<Props, { error?: Error | undefined; place: string }> {
  override state: { error?: Error | undefined; place: string } = { place: this.props.place }

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  static getDerivedStateFromProps({ place }: Props, state: { place: string }) {
    return place === state.place ? null : { place, error: undefined }
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return <Problem error={error} onRetry={() => this.setState({ error: undefined })} />
  }
}
