//! Builds the wheel, installs it, and checks and tests what was installed.

use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::steps::{self, Failed, open_step, shown, silent, step};

const REQUIREMENTS: &str = "python/requirements-test.txt";
const CONFIGURATION: &str = "pyproject.toml";
const INTERPRETER: &str = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };

/// Exits without success unless the interpreter can make a virtual environment for the package.
const PROBE: &str = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))";
const NO_PYTHON: &str = "the Python steps run `python3`: \
    install Python 3.11 or later with its venv module (Debian: python3 and python3-venv)";

/// The steps of the Python package, from an environment for it to its last test.
pub(crate) fn steps(root: &Path) -> Result<(), Failed> {
    let target = steps::target_folder().map_err(|what| steps::said(&what))?;
    let place = Place { root, folder: &target.join("python"), target: &target };
    step("python environment", || place.environment(REQUIREMENTS))?;
    step("wheel", || place.wheel("release"))?;
    step("wheel, installed", || place.installed())?;
    step("python types", || place.types())?;
    open_step("python tests", || place.tests())
}

/// The repository, the folder that cargo builds in, and there the one for all that these steps make.
pub(crate) struct Place<'a> {
    pub(crate) root: &'a Path,
    pub(crate) target: &'a Path,
    pub(crate) folder: &'a Path,
}

impl Place<'_> {
    /// A virtual environment with the packages of the requirements, kept until they change.
    pub(crate) fn environment(&self, requirements: &str) -> Result<(), String> {
        let requirements = self.root.join(requirements);
        let wanted =
            fs::read_to_string(&requirements).map_err(|error| about(&requirements, &error))?;
        let stamp = self.folder.join("requirements.txt");
        let kept = fs::read_to_string(&stamp).is_ok_and(|found| found == wanted);
        if kept && silent(&mut self.python("-m pip --version")).is_ok() {
            return Ok(());
        }
        silent(Command::new("python3").args(["-c", PROBE])).map_err(|_| NO_PYTHON.to_owned())?;
        emptied(self.folder)?;
        silent(Command::new("python3").args(["-m", "venv"]).arg(self.folder.join("env")))?;
        silent(self.python("-m pip install --quiet --no-input --requirement").arg(&requirements))?;
        fs::write(&stamp, wanted).map_err(|error| about(&stamp, &error))
    }

    /// The wheel, from a profile in the folder that cargo builds in: what lies there is not compiled again.
    pub(crate) fn wheel(&self, profile: &str) -> Result<(), String> {
        let wheels = self.wheels();
        emptied(&wheels)?;
        let mut maturin = self.python("-m maturin build --profile");
        maturin.arg(profile).arg("--target-dir").arg(self.target).arg("--out").arg(&wheels);
        silent(steps::one_build(&mut maturin, self.root).current_dir(self.root))
    }

    /// Puts the wheel into the environment.
    pub(crate) fn installed(&self) -> Result<(), String> {
        let wheels = self.wheels();
        let found: io::Result<Vec<PathBuf>> = fs::read_dir(&wheels)
            .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect());
        match &found.map_err(|error| about(&wheels, &error))?[..] {
            [wheel] => silent(
                self.python("-m pip install --quiet --no-input --no-deps --force-reinstall")
                    .arg(wheel),
            ),
            others => Err(format!("{} wheels in {}, expected one", others.len(), wheels.display())),
        }
    }

    /// The annotations agree with each other, and those of `_core` with what was compiled.
    fn types(&self) -> Result<(), String> {
        let configuration = self.root.join(CONFIGURATION);
        silent(self.python("-m mypy -p gaussbayes --config-file").arg(&configuration))?;
        let stubtest = "-m mypy.stubtest gaussbayes._core --mypy-config-file";
        silent(self.python(stubtest).arg(&configuration))
    }

    fn tests(&self) -> Result<(), String> {
        // Test files find those beside them; the folder above, with the package's source, stays out of sight.
        let beside = "--import-mode=importlib -o pythonpath=python/tests";
        shown(self.pytest(beside).arg(self.root.join("python/tests")))?;
        let bench = "--import-mode=importlib -o pythonpath=bench";
        shown(self.pytest(bench).arg(self.root.join("bench/tests")))?;
        shown(&mut self.pytest("--doctest-modules --pyargs gaussbayes"))
    }

    fn pytest(&self, words: &str) -> Command {
        let mut command = self.python(&format!("-m pytest -q {words} -c"));
        command.arg(self.root.join(CONFIGURATION)).arg("-o");
        command.arg(format!("cache_dir={}", self.folder.join("pytest").display()));
        command
    }

    fn wheels(&self) -> PathBuf {
        self.folder.join("wheels")
    }

    /// The interpreter of the environment, where no source is near: `gaussbayes` is the wheel's or none.
    pub(crate) fn python(&self, words: &str) -> Command {
        let mut command = Command::new(self.folder.join("env").join(INTERPRETER));
        command.args(words.split_whitespace()).current_dir(self.folder);
        command.env_remove("PYTHONPATH").env_remove("PYTHONHOME");
        command
    }
}

/// Makes the folder, without what it held.
fn emptied(folder: &Path) -> Result<(), String> {
    let removed = if folder.exists() { fs::remove_dir_all(folder) } else { Ok(()) };
    removed.and_then(|()| fs::create_dir_all(folder)).map_err(|error| about(folder, &error))
}

fn about(path: &Path, error: &dyn Display) -> String {
    format!("{}: {error}", path.display())
}
