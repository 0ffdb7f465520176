//! Starts the command.

fn main() -> std::process::ExitCode {
    gaussbayes_cli::run(std::env::args_os()).into()
}
