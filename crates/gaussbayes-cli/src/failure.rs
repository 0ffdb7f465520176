//! Says what went wrong: one line, a hint, and the exit code.

use gaussbayes_io::Kind;

/// Why a command ends without an answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Refused by a library.
    Library(gaussbayes_io::Error),
    /// Refused by a library, with advice that this command alone can give.
    Advised { error: Box<gaussbayes_io::Error>, hint: String },
    /// Asked for in a way that has no answer.
    Usage { message: String, hint: Option<String> },
    /// Rows that cannot be clustered.
    Data { message: String, hint: String },
    /// No mixture could be fitted.
    Unfitted { message: String, hint: String },
    /// Somebody pressed Ctrl-C.
    Interrupted(String),
    /// Whoever reads the output has gone.
    ClosedPipe,
    /// The output could not be written.
    Output(std::io::Error),
}

impl Failure {
    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), hint: Some(hint.into()) }
    }

    /// The same, or an interruption where that is what ended the work.
    pub(crate) fn unless_interrupted(self) -> Self {
        let cancelled = match &self {
            Self::Library(gaussbayes_io::Error::Core(error)) => {
                matches!(error.root(), gaussbayes::Error::Cancelled { .. })
            }
            _ => false,
        };
        if cancelled && crate::interrupt::Interrupt::listen().is_set() {
            return Self::Interrupted("interrupted: no file was written".into());
        }
        self
    }

    pub(crate) fn message(&self) -> String {
        match self {
            Self::Library(error) => error.to_string(),
            Self::Advised { error, .. } => error.to_string(),
            Self::Usage { message, .. }
            | Self::Data { message, .. }
            | Self::Unfitted { message, .. }
            | Self::Interrupted(message) => message.clone(),
            Self::ClosedPipe => "the output was closed".into(),
            Self::Output(error) => format!("cannot write the output: {error}"),
        }
    }

    pub(crate) fn excerpt(&self) -> Option<String> {
        match self {
            Self::Library(error) => error.excerpt(),
            Self::Advised { error, .. } => error.excerpt(),
            _ => None,
        }
    }

    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::Library(gaussbayes_io::Error::Core(error)) => match error.root() {
                gaussbayes::Error::Singular(singularity) => {
                    let untried = || Some("leave columns out (--drop), or try other models".into());
                    singularity.advice(crate::models::remedy).or_else(untried)
                }
                _ => error.hint(),
            },
            Self::Library(error) => match error {
                gaussbayes_io::Error::NotFound { path, nearest: None }
                | gaussbayes_io::Error::NoModel { path } => meant(path).or_else(|| error.hint()),
                _ => error.hint(),
            },
            Self::Usage { hint, .. } => hint.clone(),
            Self::Advised { hint, .. } | Self::Data { hint, .. } | Self::Unfitted { hint, .. } => {
                Some(hint.clone())
            }
            Self::Output(_) => {
                Some("make room where standard output goes, or name a file with -o".into())
            }
            _ => None,
        }
    }

    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Library(error) => of_kind(error.kind()),
            Self::Advised { error, .. } => of_kind(error.kind()),
            Self::Usage { .. } => 2,
            Self::Data { .. } => 3,
            Self::Unfitted { .. } => 4,
            Self::Interrupted(_) => crate::interrupt::STATUS,
            Self::ClosedPipe => 0,
            Self::Output(_) => 1,
        }
    }
}

fn of_kind(kind: Kind) -> u8 {
    match kind {
        Kind::Failure => 1,
        Kind::Usage => 2,
        Kind::Data => 3,
        Kind::Model => 4,
    }
}

/// Asks whether the file beside it with a similar name was meant.
pub(crate) fn meant(path: &str) -> Option<String> {
    gaussbayes_io::nearest_file(path).map(|nearest| format!("did you mean '{nearest}'?"))
}

impl From<gaussbayes_io::Error> for Failure {
    fn from(error: gaussbayes_io::Error) -> Self {
        Self::Library(error)
    }
}

impl From<gaussbayes::Error> for Failure {
    fn from(error: gaussbayes::Error) -> Self {
        Self::Library(error.into())
    }
}

impl From<gaussbayes_plot::PlotError> for Failure {
    fn from(error: gaussbayes_plot::PlotError) -> Self {
        match error {
            gaussbayes_plot::PlotError::Core(error) => error.into(),
            error => Self::Usage { message: error.to_string(), hint: error.hint() },
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            Self::ClosedPipe
        } else {
            Self::Output(error)
        }
    }
}
