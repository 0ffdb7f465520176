//! Names the surfaces that a boundary can be, by signature \[M42\].

/// What a boundary between two actions is: a closed list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// One point.
    Point,
    /// Two thresholds of one column.
    TwoPoints,
    /// A line in the plane.
    Line,
    /// A line on which both actions tie, with the same action better on either side.
    DoubleLine,
    /// Two parallel lines.
    ParallelLines,
    /// Two lines that cross.
    CrossingLines,
    /// A circle, in raw units.
    Circle,
    /// An ellipse.
    Ellipse,
    /// A parabola.
    Parabola,
    /// A hyperbola.
    Hyperbola,
    /// A hyperplane.
    Hyperplane,
    /// A sphere, in raw units.
    Sphere,
    /// An ellipsoid.
    Ellipsoid,
    /// A paraboloid whose squares have one sign.
    EllipticParaboloid,
    /// A paraboloid whose squares have both signs.
    HyperbolicParaboloid,
    /// A hyperboloid, of one sheet or more.
    Hyperboloid,
    /// A cone.
    Cone,
    /// A surface of fewer columns, the same along the others.
    Cylinder(Base),
    /// No row ties: one action is better everywhere.
    Empty,
    /// Both actions tie everywhere.
    Everywhere,
    /// More than two classes enter: no quadric.
    NotAQuadric,
}

/// What a cylinder stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Base {
    /// A point.
    Point,
    /// A double line, which makes a double hyperplane.
    DoubleLine,
    /// Parallel lines, which make parallel hyperplanes.
    ParallelLines,
    /// Crossing lines, which make crossing hyperplanes.
    CrossingLines,
    /// A circle.
    Circle,
    /// An ellipse.
    Ellipse,
    /// A parabola.
    Parabola,
    /// A hyperbola.
    Hyperbola,
    /// A sphere.
    Sphere,
    /// An ellipsoid.
    Ellipsoid,
    /// An elliptic paraboloid.
    EllipticParaboloid,
    /// A hyperbolic paraboloid.
    HyperbolicParaboloid,
    /// A hyperboloid.
    Hyperboloid,
    /// A cone.
    Cone,
}

impl Kind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::TwoPoints => "two points",
            Self::Line => "line",
            Self::DoubleLine => "double line",
            Self::ParallelLines => "parallel lines",
            Self::CrossingLines => "crossing lines",
            Self::Circle => "circle",
            Self::Ellipse => "ellipse",
            Self::Parabola => "parabola",
            Self::Hyperbola => "hyperbola",
            Self::Hyperplane => "hyperplane",
            Self::Sphere => "sphere",
            Self::Ellipsoid => "ellipsoid",
            Self::EllipticParaboloid => "elliptic paraboloid",
            Self::HyperbolicParaboloid => "hyperbolic paraboloid",
            Self::Hyperboloid => "hyperboloid",
            Self::Cone => "cone",
            Self::Cylinder(base) => base.cylinder(),
            Self::Empty => "empty",
            Self::Everywhere => "everywhere",
            Self::NotAQuadric => "not a quadric",
        }
    }

    /// The kind of Σ w_j y_j² + (a linear part where all w_j are 0) + constant = 0 in `dim` columns.
    pub(crate) fn of(dim: usize, signs: Signs) -> Self {
        let Signs { positive, negative, linear, constant } = signs;
        let squares = positive + negative;
        if squares == 0 {
            return match (linear, constant, dim) {
                (true, _, 1) => Self::Point,
                (true, _, 2) => Self::Line,
                (true, _, _) => Self::Hyperplane,
                (false, 0, _) => Self::Everywhere,
                (false, _, _) => Self::Empty,
            };
        }
        let definite = positive == 0 || negative == 0;
        let sign = if positive > 0 { 1 } else { -1 };
        let base = if linear {
            match (squares, definite) {
                (1, _) => Base::Parabola,
                (_, true) => Base::EllipticParaboloid,
                (_, false) => Base::HyperbolicParaboloid,
            }
        } else if definite && constant == sign {
            return Self::Empty;
        } else {
            match (squares, definite, constant == 0) {
                (1, _, true) => Base::DoubleLine,
                (1, _, false) => Base::ParallelLines,
                (_, true, true) => Base::Point,
                (2, true, false) => Base::Ellipse,
                (_, true, false) => Base::Ellipsoid,
                (2, false, true) => Base::CrossingLines,
                (2, false, false) => Base::Hyperbola,
                (_, false, true) => Base::Cone,
                (_, false, false) => Base::Hyperboloid,
            }
        };
        let columns = match base {
            // Lines need a plane, though their equation needs one column.
            Base::DoubleLine | Base::ParallelLines if dim > 1 => 2,
            _ => squares + usize::from(linear),
        };
        match (dim, base) {
            (1, Base::DoubleLine) => Self::Point,
            (1, _) => Self::TwoPoints,
            _ if columns == dim => base.kind(),
            _ => Self::Cylinder(base),
        }
    }

    /// The same with all semi-axes equal in raw units.
    pub(crate) fn round(self) -> Self {
        match self {
            Self::Ellipse => Self::Circle,
            Self::Ellipsoid => Self::Sphere,
            Self::Cylinder(Base::Ellipse) => Self::Cylinder(Base::Circle),
            Self::Cylinder(Base::Ellipsoid) => Self::Cylinder(Base::Sphere),
            other => other,
        }
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// What decides the kind of a quadric in its own axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Signs {
    pub(crate) positive: usize,
    pub(crate) negative: usize,
    /// Whether there is a slope along an axis without a square.
    pub(crate) linear: bool,
    /// The sign of the constant once squares are completed.
    pub(crate) constant: i32,
}

impl Base {
    /// The surface itself.
    pub fn kind(self) -> Kind {
        match self {
            Self::Point => Kind::Point,
            Self::DoubleLine => Kind::DoubleLine,
            Self::ParallelLines => Kind::ParallelLines,
            Self::CrossingLines => Kind::CrossingLines,
            Self::Circle => Kind::Circle,
            Self::Ellipse => Kind::Ellipse,
            Self::Parabola => Kind::Parabola,
            Self::Hyperbola => Kind::Hyperbola,
            Self::Sphere => Kind::Sphere,
            Self::Ellipsoid => Kind::Ellipsoid,
            Self::EllipticParaboloid => Kind::EllipticParaboloid,
            Self::HyperbolicParaboloid => Kind::HyperbolicParaboloid,
            Self::Hyperboloid => Kind::Hyperboloid,
            Self::Cone => Kind::Cone,
        }
    }

    fn cylinder(self) -> &'static str {
        match self {
            Self::Point => "cylinder over a point",
            Self::DoubleLine => "cylinder over a double line",
            Self::ParallelLines => "cylinder over parallel lines",
            Self::CrossingLines => "cylinder over crossing lines",
            Self::Circle => "cylinder over a circle",
            Self::Ellipse => "cylinder over an ellipse",
            Self::Parabola => "cylinder over a parabola",
            Self::Hyperbola => "cylinder over a hyperbola",
            Self::Sphere => "cylinder over a sphere",
            Self::Ellipsoid => "cylinder over an ellipsoid",
            Self::EllipticParaboloid => "cylinder over an elliptic paraboloid",
            Self::HyperbolicParaboloid => "cylinder over a hyperbolic paraboloid",
            Self::Hyperboloid => "cylinder over a hyperboloid",
            Self::Cone => "cylinder over a cone",
        }
    }
}
